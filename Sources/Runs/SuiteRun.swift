package import Checks
package import Foundation
import Live
package import Quantities
package import Reports
import RunLog
package import Scenario
import TransferHost

/// Several runs, and the files about all of them.
package struct SuiteRun {
    private let cases: [SuiteCase]
    private let world: RunBeginning.World
    /// The folder for the files; `nil`: no files are wanted.
    private let folder: URL?
    package var leftOut: [UnplayedRun] = []
    /// A seed that shuffles the events of one moment.
    package var ties: UInt64?
    package var packets: PacketCapture?
    package var recordsFlights = false
    package var kept = KeptRuns.all
    /// What the runs must show together; `nil`: nothing, because not all of them are played.
    package var occasions: [Scenario.Expectation]? = []
    /// The demand for evidence of each clause, if all runs are played.
    package var demand: EvidenceDemand?
    /// Whether packets are counted for the figures; false saves time if nobody reads the figures.
    package var countsPackets = true
    /// Whether each live run is simulated, too.
    package var comparesWorlds = false

    /// Progress for the caller to show.
    package enum Moment {
        case began(Scenario, number: Int, of: Int)
        case reached(Instant, Scenario, number: Int, of: Int)
        case finished(SuiteEntry)
        case trapped(TrappedRun)
    }

    /// Simulated runs.
    package init(_ cases: [SuiteCase], folder: URL?) {
        self.cases = cases
        world = .simulated
        self.folder = folder
    }

    /// Live runs, which always leave their files, because they cannot be repeated.
    package init(live cases: [SuiteCase], folder: URL) {
        self.cases = cases
        world = .live
        self.folder = folder
        occasions = nil
    }

    /// Plays the runs, `jobs` at a time. A run that cannot be played does not stop the others,
    /// except when failing fast; `requireWhole` of the result throws its reason.
    package func play(
        jobs: Int = 1, failingFast: Bool = false, _ tell: (Moment) -> Void = { _ in }
    ) throws(RunFailure) -> Suite {
        let names = folderNames
        let isGreen: @Sendable (SuiteEntry) -> Bool = { $0.judgement.isGreen }
        let workers = RunWorkers(
            count: cases.count, failingUnless: failingFast ? isGreen : nil,
            label: { [self] in label(of: cases[$0]) }
        ) { [self] in outcome(of: cases[$0], as: names[$0], progress: $1) }
        if let folder { SuiteFolder.removeLast(from: folder) }
        let date = Date()
        let interruption = try watchForInterruption()
        let began = ContinuousClock.now
        let outcomes = workers.run(
            threads: world == .live ? 0 : max(1, min(jobs, cases.count)),
            until: { interruption.hasHappened }
        ) { index in
            tell(.began(cases[index].scenario, number: index + 1, of: cases.count))
        } reached: { index, now in
            tell(.reached(now, cases[index].scenario, number: index + 1, of: cases.count))
        } finished: { index, outcome in
            switch outcome {
            case .success(let entry): tell(.finished(entry))
            case .failure(let failure):
                if let trap = failure.trap { tell(.trapped(trapped(cases[index], trap))) }
            }
        }
        var suite = suite(of: outcomes)
        suite.program = .current
        suite.wallSeconds = began.duration(to: .now) / .seconds(1)
        let ended = suite.entries.count + suite.trapped.count
        if interruption.hasHappened, ended < cases.count {
            suite.interrupt(after: ended, of: cases.count)
        }
        do throws(RunFailure) {
            if let folder {
                try SuiteFolder(creating: folder).write(suite, report(of: suite), began: date)
            }
        } catch {
            // A run may have failed for the same reason; then only the run's reason is told.
            if suite.notPlayed.isEmpty { throw error }
        }
        return suite
    }

    private func watchForInterruption() throws(RunFailure) -> Interruption {
        do throws(SystemError) { return try Interruption() } catch {
            throw RunFailure("interruptions cannot be heard: \(error)")
        }
    }

    /// Returns the results as build servers show them.
    package func report(of suite: Suite) -> TestReport {
        TestReport(
            of: world == .live ? "live" : "run", suite, folder: folder?.path, in: Workspace())
    }

    /// Whether the folder of the reports holds the page of this suite.
    package var hasIndex: Bool { folder.map(SuiteFolder.hasIndex) ?? false }

    /// Removes the page, summary and JUnit file of the last suite, before anything can fail.
    package static func removeLast(from folder: URL) { SuiteFolder.removeLast(from: folder) }

    func suite(of outcomes: [Int: RunWorkers<SuiteEntry>.Outcome]) -> Suite {
        var suite = Suite(entries: [], leftOut: leftOut)
        suite.demand = demand
        for (index, run) in cases.enumerated() {
            let (name, path) = (run.scenario.name, run.scenario.path)
            switch outcomes[index] {
            case .success(let entry): suite.entries.append(entry)
            case .failure(let error):
                if let trap = error.trap {
                    suite.trapped.append(trapped(run, trap))
                    continue
                }
                suite.notPlayed.append(
                    UnplayedRun(
                        scenario: name, path: path, world: world, reason: error.description))
            case nil:
                suite.leftOut.append(
                    UnplayedRun(
                        scenario: name, path: path, world: world, reason: Self.redBefore))
            }
        }
        return suite
    }

    fileprivate static let redBefore = "an earlier run was red"

    private func trapped(_ run: SuiteCase, _ trap: RunTrap) -> TrappedRun {
        TrappedRun(
            scenario: run.scenario.name, path: run.scenario.path, world: world, seed: run.seed,
            reason: trap.sentence, command: simulated(run).replayCommand)
    }

    /// Returns a run's name, for the case that it traps.
    private func label(of run: SuiteCase) -> String {
        "“\(run.scenario.name)”, seed \(run.seed); play it again with: "
            + simulated(run).replayCommand
    }

    private var folderNames: [String] {
        var names: [String] = []
        var taken: Set<String> = []
        for run in cases {
            names.append(Self.folderName(for: run, beside: taken))
            taken.insert(names[names.count - 1])
        }
        return names
    }

    /// Tells `../a.yaml` and `a.yaml` apart, which would otherwise share a folder.
    private static func folderName(for run: SuiteCase, beside taken: Set<String>) -> String {
        let file = RunFolder.name(for: run.scenario)
        let name = run.isOneOfSeveral ? "\(file)/seed-\(run.seed)" : file
        var candidate = name
        var number = 1
        while taken.contains(candidate) {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }

    private func outcome(
        of run: SuiteCase, as name: String, progress: (Instant) -> Void
    ) -> RunWorkers<SuiteEntry>.Outcome {
        do throws(RunFailure) {
            let began = ContinuousClock.now
            let model = try play(run, as: name, progress: progress)
            let wall = began.duration(to: .now) / .seconds(1)
            if comparesWorlds, let url = folder?.appending(path: name) {
                try WorldComparison.simulate(run, beside: url)
            }
            var entry = SuiteEntry(model, folder: name, wallSeconds: wall)
            if !keeps(run), model.judgement.isGreen { entry.isOnDemand = true }
            if occasions == nil { entry.sometimes = nil }
            return .success(entry)
        } catch {
            return .failure(error)
        }
    }

    private func keeps(_ run: SuiteCase) -> Bool { world == .live || kept.keeps(run) }

    /// Plays a run that leaves its files in the folder if it is kept. A red run that was not to be
    /// kept is played a second time, which is the same run.
    private func play(
        _ run: SuiteCase, as name: String, progress: (Instant) -> Void
    ) throws(RunFailure) -> ReportModel {
        guard let url = folder?.appending(path: name) else {
            return try play(run, into: nil, progress: progress)
        }
        if keeps(run) {
            return try play(run, into: RunFolder(creating: url, named: name), progress: progress)
        }
        RunFolder.removeFiles(of: url)
        let model = try play(run, into: nil, progress: progress)
        guard !model.judgement.isGreen else { return model }
        let again = try play(
            run, into: RunFolder(creating: url, named: name), progress: progress)
        guard again.digest == model.digest else {
            throw RunFailure(
                "two runs of \(label(of: run)) have the digests \(model.digest) and "
                    + "\(again.digest); a simulated run must be the same each time")
        }
        return again
    }

    private func play(
        _ run: SuiteCase, into runFolder: RunFolder?, progress: (Instant) -> Void
    ) throws(RunFailure) -> ReportModel {
        if let runFolder, world == .live {
            return try LiveRun(scenario: run.scenario, seed: run.seed)
                .play(into: runFolder, progress: progress)
        }
        return try simulated(run).play(into: runFolder, progress: progress)
    }

    private func simulated(_ run: SuiteCase) -> SimulatedRun {
        var simulated = SimulatedRun(run.scenario, seed: run.seed, ties: ties)
        simulated.packets = packets
        simulated.recordsFlights = recordsFlights
        simulated.suite = occasions ?? []
        simulated.countsPackets = countsPackets
        simulated.isOneOfSeveral = run.isOneOfSeveral && countsPackets
        return simulated
    }
}

extension Suite {
    /// Notes that the suite was interrupted, as the reason of all runs without a verdict.
    fileprivate mutating func interrupt(after played: Int, of planned: Int) {
        let interruption = SuiteInterruption(played: played, planned: planned)
        self.interruption = interruption
        for index in leftOut.indices where leftOut[index].reason == SuiteRun.redBefore {
            leftOut[index].reason = interruption.words
        }
    }

    /// Throws the reasons why runs could not be played, if there are any.
    package func requireWhole() throws(RunFailure) {
        let reasons = notPlayed.map(\.reason) + (interruption.map { [$0.words] } ?? [])
        guard !reasons.isEmpty else { return }
        throw RunFailure(reasons.joined(separator: "\n"))
    }
}
