package import Foundation
import Live
package import Quantities
package import Reports
import RunLog
package import Scenario

/// Several runs, and the files that speak of them together.
package struct SuiteRun {
    private let cases: [SuiteCase]
    private let leftOut: [UnplayedRun]
    private let world: RunBeginning.World
    private let ties: UInt64?
    private let folder: URL?
    private let packets: PacketCapture?
    private let recordsFlights: Bool
    /// What the runs have to show together beside what their scenarios say; `nil`: nobody asks, as
    /// not all of them are played.
    private let occasions: [Scenario.Expectation]?
    private let countsPackets: Bool
    /// Whether each live run is played simulated, too.
    private let comparesWorlds: Bool

    /// What a caller may want to show while it runs; runs end in the order in which they are told.
    package enum Moment {
        case began(Scenario, number: Int, of: Int)
        case reached(Instant, Scenario, number: Int, of: Int)
        case finished(SuiteEntry)
    }

    /// `folder` is where the files go, if they are wanted; `ties` perturbs ties. Where nobody looks
    /// at figures, packets need not be counted for them.
    package init(
        _ cases: [SuiteCase], leavingOut leftOut: [UnplayedRun] = [], ties: UInt64? = nil,
        folder: URL?, packets: PacketCapture? = nil, recordsFlights: Bool = false,
        occasions: [Scenario.Expectation]? = [], countsPackets: Bool = true
    ) {
        self.recordsFlights = recordsFlights
        self.countsPackets = countsPackets
        comparesWorlds = false
        self.occasions = occasions
        self.ties = ties
        self.cases = cases
        self.leftOut = leftOut
        world = .simulated
        self.folder = folder
        self.packets = packets
    }

    /// Played for real; a live run always leaves its files, since it cannot be had again. The same
    /// run simulated is beside it where worlds are compared.
    package init(
        live cases: [SuiteCase], leavingOut leftOut: [UnplayedRun] = [],
        comparingWorlds comparesWorlds: Bool = false, folder: URL
    ) {
        self.comparesWorlds = comparesWorlds
        ties = nil
        occasions = nil
        countsPackets = true
        self.cases = cases
        self.leftOut = leftOut
        world = .live
        self.folder = folder
        packets = nil
        recordsFlights = true
    }

    /// So many at a time. A run that cannot be played does not keep the others from it, unless they
    /// shall end with the first that is not green; `requireWhole` of the answer tells of it.
    package func play(
        jobs: Int = 1, failingFast: Bool = false, _ tell: (Moment) -> Void = { _ in }
    ) throws(RunFailure) -> Suite {
        let names = folderNames
        let isGreen: @Sendable (SuiteEntry) -> Bool = { $0.judgement.isGreen }
        let workers = RunWorkers(
            count: cases.count, failingUnless: failingFast ? isGreen : nil
        ) { [self] in play(cases[$0], as: names[$0], progress: $1) }
        if let folder { SuiteFolder.removeLast(from: folder) }
        let interruption = try watchForInterruption()
        let outcomes = workers.run(
            threads: world == .live ? 0 : max(1, min(jobs, cases.count)),
            until: { interruption.hasHappened }
        ) { index in
            tell(.began(cases[index].scenario, number: index + 1, of: cases.count))
        } reached: { index, now in
            tell(.reached(now, cases[index].scenario, number: index + 1, of: cases.count))
        } finished: { _, outcome in
            if case .success(let entry) = outcome { tell(.finished(entry)) }
        }
        var suite = suite(of: outcomes)
        if interruption.hasHappened, suite.entries.count < cases.count {
            suite.interrupt(after: suite.entries.count, of: cases.count)
        }
        do throws(RunFailure) {
            try folder.map { (url) throws(RunFailure) in
                try SuiteFolder(creating: url).write(suite)
            }
        } catch {
            // What kept a run from its files may keep the suite from its own: the first is said.
            if suite.notPlayed.isEmpty { throw error }
        }
        return suite
    }

    private func watchForInterruption() throws(RunFailure) -> Interruption {
        do throws(SystemError) { return try Interruption() } catch {
            throw RunFailure("interruptions cannot be heard: \(error)")
        }
    }

    /// Whether the folder of the reports holds the page of this suite.
    package var hasIndex: Bool { folder.map(SuiteFolder.hasIndex) ?? false }

    /// Removes the page, summary and JUnit file of the last suite, before anything can fail.
    package static func removeLast(from folder: URL) { SuiteFolder.removeLast(from: folder) }

    private func suite(of outcomes: [Int: RunWorkers<SuiteEntry>.Outcome]) -> Suite {
        var suite = Suite(entries: [], leftOut: leftOut)
        for (index, run) in cases.enumerated() {
            let (name, path) = (run.scenario.name, run.scenario.path)
            switch outcomes[index] {
            case .success(let entry): suite.entries.append(entry)
            case .failure(let error):
                suite.notPlayed.append(
                    UnplayedRun(
                        scenario: name, path: path, world: world, reason: error.description))
            case nil:
                suite.leftOut.append(
                    UnplayedRun(
                        scenario: name, path: path, world: world,
                        reason: Self.redBefore))
            }
        }
        return suite
    }

    fileprivate static let redBefore = "an earlier run was red"

    private var folderNames: [String] {
        var names: [String] = []
        var taken: Set<String> = []
        for run in cases {
            names.append(Self.folderName(for: run, beside: taken))
            taken.insert(names[names.count - 1])
        }
        return names
    }

    /// `../a.yaml` and `a.yaml` would share a folder, and one run's files replace the other's.
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

    private func play(
        _ run: SuiteCase, as name: String, progress: (Instant) -> Void
    ) -> RunWorkers<SuiteEntry>.Outcome {
        do throws(RunFailure) {
            let runFolder = try folder.map { (url) throws(RunFailure) in
                try RunFolder(creating: url.appending(path: name))
            }
            let began = ContinuousClock.now
            let model = try play(run, into: runFolder, progress: progress)
            let wall = began.duration(to: .now) / .seconds(1)
            if comparesWorlds, let url = folder?.appending(path: name) {
                try WorldComparison.simulate(run, beside: url)
            }
            var entry = SuiteEntry(model, folder: name, wallSeconds: wall)
            if occasions == nil { entry.sometimes = nil }
            return .success(entry)
        } catch {
            return .failure(error)
        }
    }

    private func play(
        _ run: SuiteCase, into runFolder: RunFolder?, progress: (Instant) -> Void
    ) throws(RunFailure) -> ReportModel {
        if let runFolder, world == .live {
            return try LiveRun(run.scenario, seed: run.seed)
                .play(into: runFolder, progress: progress)
        }
        return try SimulatedRun(
            run.scenario, seed: run.seed, ties: ties, packets: packets,
            recordsFlights: recordsFlights, suite: occasions ?? [], countsPackets: countsPackets
        ).play(into: runFolder, progress: progress)
    }
}

extension Suite {
    /// Says of all runs that have no verdict that the suite was interrupted.
    fileprivate mutating func interrupt(after played: Int, of planned: Int) {
        let interruption = SuiteInterruption(played: played, planned: planned)
        self.interruption = interruption
        for index in leftOut.indices where leftOut[index].reason == SuiteRun.redBefore {
            leftOut[index].reason = interruption.words
        }
    }

    /// Throws why runs could not be played, if there are such.
    package func requireWhole() throws(RunFailure) {
        let reasons = notPlayed.map(\.reason) + (interruption.map { [$0.words] } ?? [])
        guard !reasons.isEmpty else { return }
        throw RunFailure(reasons.joined(separator: "\n"))
    }
}
