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
    private let packets: PacketCapture?
    private let recordsFlights: Bool
    private let suite: [Scenario.Expectation]
    private let countsPackets: Bool
    private let cut: ProcessCut?
    private let command: String?

    /// `ties` is a seed by which events of one moment change places: what holds, must hold then,
    /// too. Where nobody looks at its figures, packets need not be counted for them.
    package init(
        _ scenario: Scenario, seed: UInt64? = nil, ties: UInt64? = nil,
        packets: PacketCapture? = nil, recordsFlights: Bool = false,
        suite: [Scenario.Expectation] = [],
        countsPackets: Bool = true, cut: ProcessCut? = nil, command: String? = nil
    ) {
        self.command = command
        self.scenario = scenario
        self.cut = cut
        self.countsPackets = countsPackets
        self.suite = suite
        self.ties = ties
        self.seed = seed ?? scenario.seed
        self.packets = packets
        self.recordsFlights = recordsFlights
    }

    /// Plays it; `folder` is where its files go, if they are wanted, its packets among them.
    package func play(
        into folder: RunFolder?, progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> ReportModel {
        try rehearse(into: folder, witness: nil, progress: progress).model
    }

    /// The same, told to somebody event by event, and how often stores were written to.
    func rehearse(
        into folder: RunFolder? = nil, witness: ((RunEvent) -> Void)?,
        progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> (model: ReportModel, writes: PhoneDisk.StoreWrites) {
        let (model, world) = try play(into: folder, witness: witness, progress: progress)
        return (model, world.writes)
    }

    /// The same, and how often the cells of state tables were reached.
    func count(into folder: RunFolder?) throws(RunFailure) -> (ReportModel, ReachedCells) {
        let (model, world) = try play(into: folder, witness: nil, countsCells: true)
        return (model, world.cells)
    }

    /// What the world knows beside the log.
    private struct Aftermath {
        var writes: PhoneDisk.StoreWrites
        var cells: ReachedCells
    }

    private func play(
        into folder: RunFolder?, witness: ((RunEvent) -> Void)?, countsCells: Bool = false,
        progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> (model: ReportModel, world: Aftermath) {
        let file = try folder?.eventFile()
        var pipeline = RunPipeline(
            checks: cut == nil ? scenario.checkSet(suite: suite) : scenario.ruleSet, file: file,
            countsPackets: countsPackets, isOneCase: scenario.variant != nil, witness: witness)
        pipeline.read(RunEvent(at: .start, .run(.began(beginning))))
        let tap = try makeTap(in: folder)
        var plan = scenario.plan(seed: seed, ties: ties)
        plan.cut = cut
        if let cut { plan.limit = plan.limit + cut.pause + Self.startTime }
        var world = VirtualWorld(
            plan, tap: tap, recordsFlights: recordsFlights, countsCells: countsCells)
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
        var model = pipeline.model(mustFail: scenario.mustFail) { folder?.event($0) }
        model.hints = scenario.hints(after: model.figures)
        if folder != nil { model.captureFiles = packets?.files }
        try folder?.write(model)
        if let flights = world.flights { try folder?.write(flights) }
        return (model, Aftermath(writes: world.storeWrites, cells: world.reachedCells))
    }

    /// A phone takes so long to start, at most.
    private static let startTime = TimeSpan.seconds(60)

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
            guard let next = world.nextEventTime else { return .quiet }
            guard next <= limit else { return .limit }
            pipeline.mark(at: second)
            // The next whole second that has anything in it.
            let whole = TimeSpan.seconds(1).nanoseconds
            let seconds = (next.sinceStart.nanoseconds + whole - 1) / whole
            second = max(second + .seconds(1), .start + .seconds(seconds))
        }
    }

    private var beginning: RunBeginning {
        RunBeginning(
            scenario: scenario.name, world: .simulated, seed: seed, ties: ties,
            text: scenario.text, path: scenario.path, parts: scenario.parts,
            variant: scenario.variant, sentences: scenario.sentences(seed: seed),
            // Where a crash may come before the app has asked for them, nobody can promise them.
            sessions: cut == nil ? scenario.sessionsAtLaunch : 0,
            apps: scenario.appCount > 1 ? scenario.appCount : nil, names: scenario.names,
            command: command ?? "./lab run \(scenario.words) --seed \(seed)"
                + (ties.map { " --perturb-ties \($0)" } ?? ""))
    }
}

extension Scenario {
    /// What a command line calls it.
    var words: String {
        path.shellWord + (variant.map { " --case \($0.shellWord)" } ?? "")
    }

    /// What a run is judged by that has a crash point of its own: what its scenario expects was
    /// said of another one.
    var ruleSet: CheckSet {
        CheckSet(
            expectations: [], sometimes: [],
            excuses: Dictionary(
                excuses.map { ($0.rule, $0.reason) }, uniquingKeysWith: { first, _ in first }))
    }

    /// What a run of this scenario is judged by; `suite` is what its suite has to show some time.
    package func checkSet(suite: [Expectation] = []) -> CheckSet {
        CheckSet(
            expectations: expectations.map { $0.check() },
            sometimes: (sometimes + suite).map { $0.check() },
            excuses: Dictionary(
                excuses.map { ($0.rule, $0.reason) }, uniquingKeysWith: { first, _ in first }))
    }
}
