package import Foundation
package import Reports
package import Scenario

/// Plays scenarios, random runs and crash points, and counts what they decide.
package struct EvidenceGathering {
    private let jobs: Int

    package init(jobs: Int) { self.jobs = jobs }

    /// Counts the runs of scenarios; `tell` gets how many are over.
    package func ofScenarios(
        _ scenarios: [Scenario], _ tell: (Int) -> Void
    ) throws(RunFailure) -> ClauseTally {
        var run = SuiteRun(SuiteCase.all(of: scenarios), folder: nil)
        run.countsPackets = false
        var played = 0
        let suite = try run.play(jobs: jobs) { moment in
            guard case .finished = moment else { return }
            played += 1
            tell(played)
        }
        try suite.requireWhole()
        return Self.tally(of: suite)
    }

    /// Reads the counts of a suite that was played before, from the folder of its reports.
    package static func ofReports(in folder: URL) throws(RunFailure) -> ClauseTally {
        let file = folder.appending(path: SuiteFolder.summary)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw RunFailure("cannot read \(file.path): \(error.systemReason)")
        }
        do { return tally(of: try SuiteJSON.suite(from: data)) } catch {
            throw RunFailure(
                JSONMistake(error, in: data), in: file.path, "is not the summary of a suite")
        }
    }

    /// Whether a folder has the summary of a suite.
    package static func isReports(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(SuiteFolder.summary)")
    }

    /// Counts random runs, as many by each façade alone; `tell` gets how many are over.
    package func ofChance(runs: Int, _ tell: (Int) -> Void) throws(RunFailure) -> ClauseTally {
        var tally = ClauseTally()
        let facades = ChanceFacade.allCases
        for (place, facade) in facades.enumerated() {
            let before = runs * place / facades.count
            let count = runs * (place + 1) / facades.count - before
            guard count > 0 else { continue }
            let table = try ChanceRuns(from: 1, count: count, of: [facade]).play(jobs: jobs) {
                played, _ in
                tell(before + played)
            }
            tally += table.evidence
        }
        return tally
    }

    /// Counts crashes at some points of each scenario, spread evenly; `tell` gets how many
    /// scenarios are over.
    package func ofCrashes(
        _ scenarios: [Scenario], points: Int, _ tell: (Int) -> Void
    ) throws(RunFailure) -> ClauseTally {
        var tally = ClauseTally()
        guard points > 0 else { return tally }
        for (place, scenario) in scenarios.filter({ $0.mustFail == nil }).enumerated() {
            let sweep = CrashSweep(scenario)
            let rehearsal = try sweep.rehearse()
            let count = rehearsal.points.count
            let some = min(points, count)
            let chosen = (0..<some).map { (2 * $0 + 1) * count / (2 * some) }
            tally += try sweep.play(rehearsal, points: chosen, jobs: jobs).evidence
            tell(place + 1)
        }
        return tally
    }

    private static func tally(of suite: Suite) -> ClauseTally {
        var tally = ClauseTally()
        for entry in suite.entries {
            if let evidence = entry.evidence { tally += evidence }
        }
        return tally
    }
}
