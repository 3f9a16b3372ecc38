package import Quantities
package import Reports
import RunLog
package import Scenario
import Simulation

/// Plays a scenario with a crash at each of its points, one a run, and says what became of it.
///
/// Judged by the rules that watch every run: what the scenario expects was said of a run without.
package struct CrashSweep: Sendable {
    private let scenario: Scenario
    private let seed: UInt64
    private let pause: TimeSpan

    /// What the run without a crash has shown.
    package struct Rehearsal: Sendable {
        package let points: [CrashPoint]
        fileprivate let figures: Figures
        fileprivate let judgement: Judgement
    }

    /// `pause` is how long the app is not there, or the phone has no power.
    package init(_ scenario: Scenario, seed: UInt64? = nil, pause: TimeSpan = .seconds(1)) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
        self.pause = pause
    }

    package func rehearse() throws(RunFailure) -> Rehearsal {
        var points = CrashPoints()
        let (model, writes) = try SimulatedRun(scenario, seed: seed).rehearse { points.read($0) }
        return Rehearsal(
            points: points.all(ofApps: writes.ofApps, ofAll: writes.all), figures: model.figures,
            judgement: model.judgement)
    }

    /// So many points at a time; `tell` hears how many are played.
    package func play(
        _ rehearsal: Rehearsal, jobs: Int = 1, _ tell: (Int) -> Void = { _ in }
    ) throws(RunFailure) -> CrashTable {
        let points = rehearsal.points
        let workers = RunWorkers<CrashTable.Row>(count: points.count) { index, _ in
            do throws(RunFailure) {
                return .success(try play(index, of: rehearsal, into: nil))
            } catch { return .failure(error) }
        }
        let outcomes = workers.run(threads: max(1, min(jobs, points.count))) { _ in
        } reached: { _, _ in
        } finished: { index, _ in
            tell(index + 1)
        }
        var table = CrashTable(
            scenario: scenario.name, path: scenario.path, seed: seed,
            reference: rehearsal.judgement)
        for index in points.indices {
            guard let outcome = outcomes[index] else { continue }
            switch outcome {
            case .success(let row): table.rows.append(row)
            case .failure(let error): throw error
            }
        }
        return table
    }

    /// One of them, from 0; `folder` is where its files go, if they are wanted.
    package func play(
        _ index: Int, of rehearsal: Rehearsal, into folder: RunFolder?
    ) throws(RunFailure) -> CrashTable.Row {
        let point = rehearsal.points[index]
        let model = try SimulatedRun(
            scenario, seed: seed, countsPackets: folder != nil, cut: point.cut(pause: pause),
            command: command(forPoint: index + 1)
        ).play(into: folder)
        return CrashTable.Row(
            number: index + 1, how: point.how, point: point.place,
            outcome: CrashTable.Outcome(rehearsal.figures, model.figures),
            judgement: model.judgement, breaches: RuleBreach.all(in: model),
            command: command(forPoint: index + 1))
    }

    private func command(forPoint number: Int) -> String {
        "./lab crash \(scenario.words) --seed \(seed) --point \(number)"
            + (pause == .seconds(1) ? "" : " --pause \(pause.nanoseconds / 1_000_000_000)")
    }
}
