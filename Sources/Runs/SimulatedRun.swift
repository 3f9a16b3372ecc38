import Capture
package import Checks
package import Quantities
package import Reports
import RunLog
package import RunPlan
package import Scenario
import Simulation
import TransferEngine

/// One scenario with one seed, played in the virtual world from the first event to the verdicts.
package struct SimulatedRun {
    private let scenario: Scenario
    private let seed: UInt64
    private let ties: UInt64?
    package var packets: PacketCapture?
    package var recordsFlights = false
    /// What the runs of a suite must show together.
    package var suite: [Scenario.Expectation] = []
    /// Whether packets are counted for the figures, and hints are looked for; false saves time if
    /// nobody reads them.
    package var countsPackets = true
    /// Whether links and flows are followed over time, even if the run leaves no page.
    var drawsSeries = false
    /// Whether the scenario is played with other seeds, too, so that their courses are compared.
    package var isOneOfSeveral = false
    package var cut: ProcessCut?
    /// Changes the plan before it is played.
    var edit: (@Sendable (inout RunPlan) -> Void)?
    /// The command that plays this run again; by default, `./lab run`.
    package var command: String?

    /// The result of a run.
    struct Outcome {
        var model: ReportModel
        var writes: PhoneDisk.StoreWrites
        /// How often the cells of the state tables were reached.
        var cells: ReachedCells
    }

    /// `ties` is a seed that shuffles the events of one moment.
    package init(_ scenario: Scenario, seed: UInt64? = nil, ties: UInt64? = nil) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
        self.ties = ties
    }

    /// Plays the run; `folder` is for its files, if they are wanted.
    package func play(
        into folder: RunFolder?, progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> ReportModel {
        try outcome(into: folder, progress: progress).model
    }

    /// Plays the run; `witness` gets each event, and `observer` the whole log.
    func outcome(
        into folder: RunFolder? = nil, countsCells: Bool = false,
        witness: ((RunEvent) -> Void)? = nil, observer: (any RunLogReader)? = nil,
        progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> Outcome {
        let file = try folder?.eventFile()
        var pipeline = RunPipeline(
            checks: scenario.checkSet(suite: suite, hasCrash: cut != nil), file: file,
            countsPackets: countsPackets, drawsSeries: drawsSeries || folder != nil,
            isOneOfSeveral: isOneOfSeveral || scenario.variant != nil, witness: witness,
            observer: observer)
        pipeline.read(RunEvent(at: .start, .run(.began(beginning))))
        let tap = try makeTap(in: folder)
        var plan = scenario.plan(seed: seed, ties: ties)
        plan.cut = cut
        edit?(&plan)
        if let cut { plan.limit = plan.limit + cut.pause + plan.longestStart + Self.respite }
        var world = VirtualWorld(
            plan, tap: tap, recordsFlights: recordsFlights, countsCells: countsCells,
            followsWindows: (drawsSeries || folder != nil) && countsPackets)
        let ending: RunEnding
        do throws(CaptureError) {
            ending = try Self.play(
                &world, until: .start + plan.limit, pipeline: &pipeline, progress)
            try world.finishTap()
        } catch {
            throw RunFailure(error)
        }
        world.end()
        world.drainLog(into: &pipeline)
        let end = ending == .limit ? .start + plan.limit : world.now
        pipeline.mark(at: end)
        pipeline.read(RunEvent(at: end, .run(.ended(ending))))
        try file?.close()
        var model = pipeline.model(mustFail: scenario.mustFail, log: folder)
        model.about = scenario.about
        if countsPackets {
            model.hints =
                RunHints(
                    of: scenario, seed: seed, figures: model.figures,
                    oddities: pipeline.oddities, deeds: world.deeds
                ).sentences
        }
        if folder != nil { model.captureFiles = packets?.files }
        try folder?.write(model)
        if let flights = world.flights { try folder?.write(flights) }
        return Outcome(model: model, writes: world.storeWrites, cells: world.reachedCells)
    }

    /// What a run may take longer than planned after a crash, besides the phone's start.
    private static let respite = TimeSpan.seconds(30)

    private func makeTap(in folder: RunFolder?) throws(RunFailure) -> PacketTap? {
        guard let folder, let packets else { return nil }
        return try packets.tap(in: folder)
    }

    private static func play(
        _ world: inout VirtualWorld, until limit: Instant, pipeline: inout RunPipeline,
        _ progress: (Instant) -> Void
    ) throws(CaptureError) -> RunEnding {
        var second = Instant.start + .seconds(1)
        while true {
            if world.advance(until: min(second, limit)) {
                world.drainRipeLog(into: &pipeline)
                continue
            }
            world.drainLog(into: &pipeline)
            try world.checkTap()
            progress(world.now)
            guard !world.isEndless else { return .endless }
            guard let next = world.nextEventTime else { return .quiet }
            guard next <= limit else { return .limit }
            pipeline.mark(at: second)
            // Skips to the next whole second that has an event.
            let whole = TimeSpan.seconds(1).nanoseconds
            let seconds = (next.sinceStart.nanoseconds + whole - 1) / whole
            second = max(second + .seconds(1), .start + .seconds(seconds))
        }
    }

    /// The command that plays this run again.
    var replayCommand: String {
        command ?? "./lab run \(scenario.words) --seed \(seed)"
            + (ties.map { " --perturb-ties \($0)" } ?? "")
    }

    private var beginning: RunBeginning {
        var beginning = scenario.beginning(
            .simulated, seed: seed, ties: ties, command: replayCommand)
        // A crash may come before the app has asked for its sessions.
        if cut != nil { beginning.sessions = 0 }
        return beginning
    }
}

extension Scenario {
    /// The scenario's name on a command line.
    var words: String {
        path.shellWord + (variant.map { " --case \($0.shellWord)" } ?? "")
    }

    /// What reports say about the scenario besides the log.
    var about: ScenarioAbout { ScenarioAbout(why: why, tags: tags) }

    /// Returns the first event of a run of this scenario.
    func beginning(
        _ world: RunBeginning.World, seed: UInt64, ties: UInt64? = nil, command: String
    ) -> RunBeginning {
        var secrets = HiddenSecrets()
        let text = secrets.hidden(text)
        let parts = parts.map { IncludedPart(path: $0.path, text: secrets.hidden($0.text)) }
        return RunBeginning(
            scenario: name, world: world, seed: seed, ties: ties, text: text, path: path,
            parts: parts, traces: traces, variant: variant, sentences: sentences(seed: seed),
            sessions: sessionsAtLaunch, apps: appCount > 1 ? appCount : nil, names: names,
            command: command)
    }

    /// Returns the checks of a run. `suite` is what the runs of its suite must show together. A run
    /// with a crash is judged by invariants only, because expectations describe a run without one.
    package func checkSet(suite: [Expectation] = [], hasCrash: Bool = false) -> CheckSet {
        CheckSet(
            expectations: hasCrash ? [] : expectations.map { $0.check() },
            sometimes: hasCrash ? [] : (sometimes + suite).map { $0.check() },
            excuses: Dictionary(
                excuses.map { ($0.rule, $0.reason) }, uniquingKeysWith: { first, _ in first }))
    }
}
