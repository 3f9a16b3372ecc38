package import Foundation
package import Quantities
package import Reports
import RunLog
package import Scenario
import Simulation

/// Plays a scenario with a crash at each of its points, one crash in each run.
///
/// Only the invariants judge these runs, because expectations describe a run without a crash.
package struct CrashSweep: Sendable {
    package let scenario: Scenario
    private let seed: UInt64
    private let pause: TimeSpan

    /// The result of the run without a crash.
    package struct Rehearsal: Sendable {
        package let points: [CrashPoint]
        /// `nil` if the run has trapped, so that there are no points either.
        fileprivate let figures: Figures?
        fileprivate let judgement: Judgement

        /// Throws if the run without a crash has trapped.
        package func requireEnd() throws(RunFailure) {
            guard figures == nil else { return }
            throw RunFailure(
                "there are no points, because even without a crash \(judgement.sentence)")
        }
    }

    /// `pause` is how long the app is gone, or the phone has no power.
    package init(_ scenario: Scenario, seed: UInt64? = nil, pause: TimeSpan = .seconds(1)) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
        self.pause = pause
    }

    package func rehearse() throws(RunFailure) -> Rehearsal {
        let run = SimulatedRun(scenario, seed: seed)
        return try RunWorkers.product(
            label: "“\(scenario.name)” without a crash; play it again with: \(run.replayCommand)",
            trapped: {
                Rehearsal(points: [], figures: nil, judgement: Judgement(trap: $0.sentence))
            }
        ) { () throws(RunFailure) in
            var points = CrashPoints()
            let outcome = try run.outcome(witness: { points.read($0) })
            return Rehearsal(
                points: points.all(ofApps: outcome.writes.ofApps, ofAll: outcome.writes.all),
                figures: outcome.model.figures, judgement: outcome.model.judgement)
        }
    }

    /// A point that was played.
    private struct Run: Sendable {
        var row: CrashTable.Row
        var evidence: ClauseTally
    }

    /// Plays all points, or only `points`, counted from 0; `tell` gets how many are over.
    package func play(
        _ rehearsal: Rehearsal, points: [Int]? = nil, jobs: Int = 1,
        _ tell: (Int) -> Void = { _ in }
    ) throws(RunFailure) -> CrashTable {
        var table = CrashTable(
            scenario: scenario.name, path: scenario.path, seed: seed,
            reference: rehearsal.judgement)
        let points = points ?? Array(rehearsal.points.indices)
        let runs = try RunWorkers.products(
            count: points.count, jobs: jobs, label: { label(points[$0]) },
            play: { index throws(RunFailure) in
                try judge(points[index], of: rehearsal, into: nil)
            },
            trapped: {
                Run(row: row(points[$0], of: rehearsal, after: $1), evidence: ClauseTally())
            },
            finished: { index, _ in tell(index + 1) })
        table.rows = runs.map(\.row)
        for run in runs { table.evidence += run.evidence }
        return table
    }

    /// Plays one point, counted from 0; `folder` is for its files, if they are wanted.
    package func play(
        _ index: Int, of rehearsal: Rehearsal, into folder: RunFolder?
    ) throws(RunFailure) -> CrashTable.Row {
        try RunWorkers.product(
            label: label(index), trapped: { row(index, of: rehearsal, after: $0) }
        ) { () throws(RunFailure) in try judge(index, of: rehearsal, into: folder).row }
    }

    private func judge(
        _ index: Int, of rehearsal: Rehearsal, into folder: RunFolder?
    ) throws(RunFailure) -> Run {
        guard let reference = rehearsal.figures else {
            preconditionFailure("a run without an end has no point \(index)")
        }
        let point = rehearsal.points[index]
        var run = SimulatedRun(scenario, seed: seed)
        run.countsPackets = folder != nil
        run.cut = point.cut(pause: pause)
        run.command = command(forPoint: index + 1)
        let model = try run.play(into: folder)
        let row = CrashTable.Row(
            number: index + 1, how: point.how, point: point.place,
            outcome: CrashTable.Outcome(reference, model.figures),
            judgement: model.judgement, breaches: RuleBreach.all(in: model),
            command: command(forPoint: index + 1))
        return Run(row: row, evidence: ClauseTally(model.verdicts))
    }

    /// Returns the row of a point at which the run trapped.
    private func row(
        _ index: Int, of rehearsal: Rehearsal, after trap: RunTrap
    ) -> CrashTable.Row {
        let point = rehearsal.points[index]
        return CrashTable.Row(
            number: index + 1, how: point.how, point: point.place, outcome: .needsTheUser,
            judgement: Judgement(trap: trap.sentence), breaches: [],
            command: command(forPoint: index + 1))
    }

    private func label(_ index: Int) -> String {
        "“\(scenario.name)”, crash point \(index + 1); play it again with: "
            + command(forPoint: index + 1)
    }

    private func command(forPoint number: Int) -> String {
        "./lab crash \(scenario.words) --seed \(seed) --point \(number)"
            + (pause == .seconds(1) ? "" : " --pause \(pause.nanoseconds / 1_000_000_000)")
    }
}

extension CrashTable {
    /// Writes the tables of all scenarios into a folder, as JSON and as a page.
    package static func write(_ tables: [CrashTable], into folder: URL) throws(RunFailure) {
        try folder.createFolder()
        try CrashJSON.data(for: tables).write(into: folder, as: "crashes.json")
        try Data(CrashPage.document(for: tables).utf8).write(into: folder, as: "index.html")
    }
}
