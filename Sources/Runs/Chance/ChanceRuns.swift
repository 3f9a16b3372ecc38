package import Reports
import RunLog
import Scenario
import TransferEngine

/// Random scenarios, many of them: each is played, and judged by the rules that watch every run.
package struct ChanceRuns: Sendable {
    private let first: UInt64
    private let count: Int
    private let facades: [ChanceFacade]

    /// One that was played.
    private struct Run: Sendable {
        var judgement: Judgement
        var breaches: [RuleBreach]
        var cells: ReachedCells
        var digest: String
    }

    /// `count` of them, from the seed `first` on.
    package init(
        from first: UInt64, count: Int, of facades: [ChanceFacade] = ChanceFacade.allCases
    ) {
        self.first = first
        self.count = count
        self.facades = facades
    }

    /// So many at a time; `tell` hears how many are played, and how many of them are red.
    package func play(
        jobs: Int = 1, _ tell: (Int, Int) -> Void = { _, _ in }
    ) throws(RunFailure) -> ChanceTable {
        let workers = RunWorkers<Run>(count: count) { index, _ in
            do throws(RunFailure) {
                return .success(try play(seed: seed(index), into: nil))
            } catch { return .failure(error) }
        }
        var red = 0
        let outcomes = workers.run(threads: max(1, min(jobs, count))) { _ in
        } reached: { _, _ in
        } finished: { index, outcome in
            if case .success(let run) = outcome, !run.judgement.isGreen { red += 1 }
            tell(index + 1, red)
        }
        var table = ChanceTable(
            firstSeed: first, runs: count, facades: facades.map(\.rawValue))
        var cells = ReachedCells()
        var digests: [String] = []
        for index in 0..<count {
            guard let outcome = outcomes[index] else { continue }
            switch outcome {
            case .success(let run):
                cells += run.cells
                digests.append(run.digest)
                if !run.judgement.isGreen { table.red.append(row(of: run, seed(index))) }
            case .failure(let error): throw error
            }
        }
        table.tables = cells.tables(of: facades)
        table.digest = RunDigest.text(of: digests)
        return table
    }

    /// One of them alone, into this folder, with all its reports.
    package func play(seed: UInt64, into folder: RunFolder) throws(RunFailure) -> ReportModel {
        try scenarioRun(seed: seed, text: text(seed: seed), countsPackets: true)
            .play(into: folder)
    }

    /// The scenario of a seed: a file that anybody can play.
    package func text(seed: UInt64) -> String { ChanceScenario(seed: seed, of: facades).text }

    /// The smallest scenario that breaks the same rule in the same way.
    package func shrunk(seed: UInt64, breaking breach: RuleBreach) -> String {
        var shrink = ChanceShrink(text(seed: seed), path: path(seed: seed), breaking: breach)
        return shrink.shrunk()
    }

    package func command(seed: UInt64) -> String {
        let some = facades.count == ChanceFacade.allCases.count
        let facades = facades.map(\.rawValue).joined(separator: ",")
        return "./lab chance --play \(seed)" + (some ? "" : " --facade \(facades)")
    }

    // MARK: One run

    private func seed(_ index: Int) -> UInt64 { first &+ UInt64(index) }

    private func path(seed: UInt64) -> String { "chance-\(seed).yaml" }

    private func play(seed: UInt64, into folder: RunFolder?) throws(RunFailure) -> Run {
        let (model, cells) = try scenarioRun(
            seed: seed, text: text(seed: seed), countsPackets: false
        ).count(into: folder)
        return Run(
            judgement: model.judgement, breaches: RuleBreach.all(in: model), cells: cells,
            digest: model.digest)
    }

    private func scenarioRun(
        seed: UInt64, text: String, countsPackets: Bool
    ) throws(RunFailure) -> SimulatedRun {
        do throws(ScenarioError) {
            return SimulatedRun(
                try Scenario.read(text: text, path: path(seed: seed)),
                countsPackets: countsPackets, command: command(seed: seed))
        } catch {
            throw RunFailure(
                "the scenario that chance made from seed \(seed) has mistakes:\n\(error)")
        }
    }

    private func row(of run: Run, _ seed: UInt64) -> ChanceTable.RedRun {
        ChanceTable.RedRun(
            seed: seed, judgement: run.judgement, breaches: run.breaches,
            command: command(seed: seed))
    }
}
