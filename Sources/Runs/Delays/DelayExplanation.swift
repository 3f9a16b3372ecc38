import Foundation
import Quantities
package import Reports
package import Scenario

/// Plays a run again without each of its troubles, and says what each has cost.
package struct DelayExplanation {
    package let scenario: Scenario
    package let seed: UInt64
    private let ties: UInt64?
    /// The run's folder, if an earlier run is explained.
    private let recorded: RecordedRun?

    package init(of scenario: Scenario, seed: UInt64? = nil) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
        ties = nil
        recorded = nil
    }

    /// `path` is the folder of an earlier run, or its `run.json`.
    package init(ofRunAt path: String) throws(RunFailure) {
        let replay = try Replay(of: path)
        scenario = replay.scenario
        seed = replay.seed
        ties = replay.ties
        recorded = try RecordedRun(at: path)
    }

    /// Plays the run as it is, without each trouble, and without all of them.
    package func table(
        jobs: Int, _ tell: (_ played: Int, _ count: Int) -> Void = { _, _ in }
    ) throws(RunFailure) -> DelayTable {
        let troubles = Trouble.all(of: scenario)
        var edits: [[Trouble]] = [[]] + troubles.map { [$0] }
        if troubles.count > 1 { edits.append(troubles) }
        let plays = edits
        let name = scenario.name
        var played = 0
        let models = try RunWorkers<ReportModel>.products(
            count: plays.count, jobs: jobs, label: { "“\(name)”, without trouble \($0)" },
            play: { [self] place throws(RunFailure) in try model(without: plays[place]) },
            finished: { _, _ in
                played += 1
                tell(played, plays.count)
            })
        let causes = troubles.enumerated().map {
            Self.cause($0.element.words, models[0], without: models[$0.offset + 1])
        }
        let without = troubles.isEmpty ? models[0] : models[models.count - 1]
        return DelayTable(
            completedAt: models[0].figures.completedAt, causes: causes,
            all: Self.cause("all of them", models[0], without: without),
            states: Self.states(of: models[0]))
    }

    private static func cause(
        _ words: String, _ model: ReportModel, without other: ReportModel
    ) -> DelayTable.Cause {
        let ends = other.figures.sessions.reduce(into: [:]) { $0[$1.session] = $1.endedAt }
        var cost: TimeSpan?
        if model.figures.completedAt != nil, other.figures.completedAt != nil {
            cost = model.figures.sessions.reduce(.zero) { sum, session in
                guard let end = session.endedAt, let earlier = ends[session.session] else {
                    return sum
                }
                return sum + (end - earlier)
            }
        }
        return DelayTable.Cause(
            words: words, completedWithout: other.figures.completedAt, cost: cost)
    }

    /// Adds the table to the report of the run that is explained; nothing if there is none.
    package func write(_ table: DelayTable) throws(RunFailure) -> String? {
        guard let recorded else { return nil }
        var model = recorded.model
        model.delays = table
        // The page leads back to its suite, as before.
        let entry = try SuiteFolder.entry(ofRunIn: recorded.folder)
        try RunFolder(recorded.folder, named: entry?.folder).write(model)
        return recorded.folder.appending(path: RunFolder.reportName).relativePath
    }

    private func model(without troubles: [Trouble]) throws(RunFailure) -> ReportModel {
        var run = SimulatedRun(scenario, seed: seed, ties: ties)
        run.countsPackets = false
        run.edit = { [scenario] in Trouble.remove(troubles, of: scenario, from: &$0) }
        return try run.play(into: nil)
    }

    /// Returns the time of all transfers in each state.
    private static func states(of model: ReportModel) -> [SessionFigures.StateTime] {
        Timeline.State.allCases.compactMap { state in
            let times = model.figures.sessions.flatMap(\.times).filter { $0.state == state }
            let sum = times.reduce(TimeSpan.zero) { $0 + $1.time }
            return sum == .zero ? nil : .init(state: state, time: sum)
        }
    }
}
