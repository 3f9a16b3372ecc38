package import Foundation
package import Reports
import RunLog
import Scenario
import TransferEngine

/// Many random scenarios: each is played, and judged by the invariants.
package struct ChanceRuns: Sendable {
    private let first: UInt64
    private let count: Int
    private let facades: [ChanceFacade]

    /// A run that was played.
    private struct Run: Sendable {
        var row: ChanceTable.RedRun
        var cells: ReachedCells
        var evidence: ClauseTally
        var digest: String
    }

    /// Plays `count` scenarios, from the seed `first` on.
    package init(
        from first: UInt64, count: Int, of facades: [ChanceFacade] = ChanceFacade.allCases
    ) {
        self.first = first
        self.count = count
        self.facades = facades
    }

    /// Plays all; `tell` gets how many runs are over, and how many of them are red.
    package func play(
        jobs: Int = 1, _ tell: (Int, Int) -> Void = { _, _ in }
    ) throws(RunFailure) -> ChanceTable {
        var red = 0
        let runs = try RunWorkers.products(
            count: count, jobs: jobs, label: { label(seed: first &+ UInt64($0)) },
            play: { index throws(RunFailure) in
                let seed = first &+ UInt64(index)
                let outcome = try scenarioRun(seed: seed, countsPackets: false)
                    .outcome(countsCells: true)
                return Run(
                    row: row(of: outcome.model, seed: seed), cells: outcome.cells,
                    evidence: ClauseTally(outcome.model.verdicts), digest: outcome.model.digest)
            },
            trapped: { index, trap in
                Run(
                    row: row(of: trap, seed: first &+ UInt64(index)), cells: ReachedCells(),
                    evidence: ClauseTally(), digest: "trap")
            }
        ) { index, outcome in
            if case .success(let run) = outcome, !run.row.judgement.isGreen { red += 1 }
            tell(index + 1, red)
        }
        var table = ChanceTable(
            firstSeed: first, runs: count, facades: facades.map(\.rawValue))
        table.red = runs.map(\.row).filter { !$0.judgement.isGreen }
        var cells = ReachedCells()
        for run in runs {
            cells += run.cells
            table.evidence += run.evidence
        }
        table.tables = cells.tables(of: facades)
        table.digest = RunDigest.text(of: runs.map(\.digest))
        return table
    }

    /// Plays one seed, and writes its reports and its scenario into a folder.
    package func play(seed: UInt64, into url: URL) throws(RunFailure) -> ChanceTable.RedRun {
        let folder = try RunFolder(creating: url)
        // The scenario is written first, because a run that traps writes nothing afterwards.
        try Data(text(seed: seed).utf8).write(into: url, as: "scenario.yaml")
        return try RunWorkers.product(
            label: label(seed: seed), trapped: { row(of: $0, seed: seed) }
        ) { () throws(RunFailure) in
            let run = try scenarioRun(seed: seed, countsPackets: true)
            return row(of: try run.play(into: folder), seed: seed)
        }
    }

    /// Returns all words of the language with the number of scenarios that use each.
    package func words() -> [(word: String, scenarios: Int)] {
        var counts: [String: Int] = [:]
        for index in 0..<count {
            let seed = first &+ UInt64(index)
            // any order: they are counted
            for word in Vocabulary.words(in: text(seed: seed), path: path(seed: seed)) {
                counts[word, default: 0] += 1
            }
        }
        return Vocabulary.all.map { ($0, counts[$0] ?? 0) }
    }

    /// Returns the scenario of a seed: the text of a file that anybody can play.
    package func text(seed: UInt64) -> String { ChanceScenario.text(seed: seed, of: facades) }

    /// Writes the smallest scenario that breaks the same rule in the same way.
    package func writeSmallest(
        seed: UInt64, breaking breach: RuleBreach, into url: URL
    ) throws(RunFailure) {
        var shrink = ChanceShrink(text(seed: seed), path: path(seed: seed), breaking: breach)
        try Data(shrink.shrunk().utf8).write(into: url, as: "smallest.yaml")
    }

    package func command(seed: UInt64) -> String {
        let some = facades.count == ChanceFacade.allCases.count
        let facades = facades.map(\.rawValue).joined(separator: ",")
        return "./lab chance --play \(seed)" + (some ? "" : " --facade \(facades)")
    }

    // MARK: One run

    private func label(seed: UInt64) -> String {
        "random run \(seed); play it again with: \(command(seed: seed))"
    }

    private func path(seed: UInt64) -> String { "chance-\(seed).yaml" }

    private func scenarioRun(
        seed: UInt64, countsPackets: Bool
    ) throws(RunFailure) -> SimulatedRun {
        do throws(ScenarioError) {
            var run = SimulatedRun(
                try Scenario.read(text: text(seed: seed), path: path(seed: seed)))
            run.countsPackets = countsPackets
            run.command = command(seed: seed)
            return run
        } catch {
            throw RunFailure(
                error.diagnostics,
                introduction: "the scenario that chance made from seed \(seed) has mistakes")
        }
    }

    private func row(of model: ReportModel, seed: UInt64) -> ChanceTable.RedRun {
        ChanceTable.RedRun(
            seed: seed, judgement: model.judgement, breaches: RuleBreach.all(in: model),
            command: command(seed: seed))
    }

    private func row(of trap: RunTrap, seed: UInt64) -> ChanceTable.RedRun {
        ChanceTable.RedRun(
            seed: seed, judgement: Judgement(trap: trap.sentence), breaches: [],
            command: command(seed: seed))
    }
}

extension ChanceTable {
    package func write(into folder: URL) throws(RunFailure) {
        try folder.createFolder()
        try ChanceJSON.data(for: self).write(into: folder, as: "chance.json")
    }
}
