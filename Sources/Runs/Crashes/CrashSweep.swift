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
    private let scenario: Scenario
    private let seed: UInt64
    private let pause: TimeSpan

    /// The result of the run without a crash.
    package struct Rehearsal: Sendable {
        package let points: [CrashPoint]
        fileprivate let figures: Figures
        fileprivate let judgement: Judgement
    }

    /// `pause` is how long the app is gone, or the phone has no power.
    package init(_ scenario: Scenario, seed: UInt64? = nil, pause: TimeSpan = .seconds(1)) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
        self.pause = pause
    }

    package func rehearse() throws(RunFailure) -> Rehearsal {
        var points = CrashPoints()
        let run = try SimulatedRun(scenario, seed: seed).outcome(witness: { points.read($0) })
        return Rehearsal(
            points: points.all(ofApps: run.writes.ofApps, ofAll: run.writes.all),
            figures: run.model.figures, judgement: run.model.judgement)
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
        let runs = try RunWorkers.products(count: points.count, jobs: jobs) {
            index throws(RunFailure) in
            try run(points[index], of: rehearsal, into: nil)
        } finished: { index, _ in
            tell(index + 1)
        }
        table.rows = runs.map(\.row)
        for run in runs { table.evidence += run.evidence }
        return table
    }

    /// Plays one point, counted from 0; `folder` is for its files, if they are wanted.
    package func play(
        _ index: Int, of rehearsal: Rehearsal, into folder: RunFolder?
    ) throws(RunFailure) -> CrashTable.Row {
        try run(index, of: rehearsal, into: folder).row
    }

    private func run(
        _ index: Int, of rehearsal: Rehearsal, into folder: RunFolder?
    ) throws(RunFailure) -> Run {
        let point = rehearsal.points[index]
        var run = SimulatedRun(scenario, seed: seed)
        run.countsPackets = folder != nil
        run.cut = point.cut(pause: pause)
        run.command = command(forPoint: index + 1)
        let model = try run.play(into: folder)
        let row = CrashTable.Row(
            number: index + 1, how: point.how, point: point.place,
            outcome: CrashTable.Outcome(rehearsal.figures, model.figures),
            judgement: model.judgement, breaches: RuleBreach.all(in: model),
            command: command(forPoint: index + 1))
        return Run(row: row, evidence: ClauseTally(model.verdicts))
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
