package import Foundation
package import Quantities
package import Reports
import RunLog
package import Scenario

/// Several scenarios, one after the other, and the files that speak of them together.
package struct SuiteRun {
    private let scenarios: [Scenario]
    private let world: RunBeginning.World
    private let seed: UInt64?
    private let ties: UInt64?
    private let folder: URL?
    private let packets: PacketCapture?

    /// What a caller may want to show while it runs.
    package enum Moment {
        case began(Scenario, number: Int, of: Int)
        case reached(Instant)
        case finished(SuiteEntry)
    }

    /// `folder` is where the files go, if they are wanted; `seed` replaces the scenarios' own, and
    /// `ties` perturbs ties.
    package init(
        _ scenarios: [Scenario], seed: UInt64? = nil, ties: UInt64? = nil, folder: URL?,
        packets: PacketCapture? = nil
    ) {
        self.ties = ties
        self.scenarios = scenarios
        world = .simulated
        self.seed = seed
        self.folder = folder
        self.packets = packets
    }

    /// Played for real; a live run always leaves its files, since it cannot be had again.
    package init(live scenarios: [Scenario], seed: UInt64? = nil, folder: URL) {
        ties = nil
        self.scenarios = scenarios
        world = .live
        self.seed = seed
        self.folder = folder
        packets = nil
    }

    /// A run that cannot be played does not keep the others from it; `requireWhole` of the answer
    /// tells of it.
    package func play(_ tell: (Moment) -> Void = { _ in }) throws(RunFailure) -> Suite {
        var suite = Suite(entries: [])
        for (index, scenario) in scenarios.enumerated() {
            tell(.began(scenario, number: index + 1, of: scenarios.count))
            let name = Self.folderName(for: scenario, beside: suite.entries.map(\.folder))
            do throws(RunFailure) {
                let entry = try play(scenario, as: name) { tell(.reached($0)) }
                suite.entries.append(entry)
                tell(.finished(entry))
            } catch {
                suite.notPlayed.append(
                    UnplayedRun(
                        scenario: scenario.name, path: scenario.path, world: world,
                        reason: error.description))
            }
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

    /// `../a.yaml` and `a.yaml` would share a folder, and one run's files replace the other's.
    private static func folderName(for scenario: Scenario, beside taken: [String]) -> String {
        let name = RunFolder.name(for: scenario.path)
        var candidate = name
        var number = 1
        while taken.contains(candidate) {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }

    private func play(
        _ scenario: Scenario, as name: String, progress: (Instant) -> Void
    ) throws(RunFailure) -> SuiteEntry {
        let runFolder = try folder.map { (url) throws(RunFailure) in
            try RunFolder(creating: url.appending(path: name))
        }
        let began = ContinuousClock.now
        let model = try play(scenario, into: runFolder, progress: progress)
        let wall = began.duration(to: .now) / .seconds(1)
        return SuiteEntry(model, folder: name, wallSeconds: wall)
    }

    private func play(
        _ scenario: Scenario, into runFolder: RunFolder?, progress: (Instant) -> Void
    ) throws(RunFailure) -> ReportModel {
        if let runFolder, world == .live {
            return try LiveRun(scenario, seed: seed).play(into: runFolder, progress: progress)
        }
        return try SimulatedRun(scenario, seed: seed, ties: ties, packets: packets)
            .play(into: runFolder, progress: progress)
    }
}

extension Suite {
    /// Throws why runs could not be played, if there are such.
    package func requireWhole() throws(RunFailure) {
        guard !notPlayed.isEmpty else { return }
        throw RunFailure(notPlayed.map(\.reason).joined(separator: "\n"))
    }
}
