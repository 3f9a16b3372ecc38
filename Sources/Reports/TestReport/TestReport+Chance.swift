extension TestReport {
    /// Makes a case of all random runs together, and one of each red run.
    ///
    /// - Parameters:
    ///   - least: How often each cell of the state tables has to be reached.
    ///   - seconds: The real time of all runs.
    ///   - folder: The folder of `chance.json`.
    package init(
        chance table: ChanceTable, least: UInt64, seconds: Double, folder: String,
        in workspace: Workspace
    ) {
        let attachments = ["\(workspace.path(folder))/chance.json"]
        var whole = TestCase(suite: ["chance"], name: table.title)
        whole.seconds = seconds
        whole.output = ["digest \(table.digest)"]
        if let failure = table.failure(least: least) {
            whole.outcome = .failed(failure)
            whole.attachments = attachments
        }
        self.init(of: "chance", [whole] + table.red.map { TestCase($0, in: workspace) })
    }

    /// Makes a case of a single run, which has left its scenario in the folder.
    package init(
        chance run: ChanceTable.RedRun, seconds: Double, folder: String, in workspace: Workspace
    ) {
        var test = TestCase(run, in: workspace)
        test.seconds = seconds
        if !run.judgement.isGreen {
            test.attachments = ["\(workspace.path(folder))/scenario.yaml"]
        }
        self.init(of: "chance", [test])
    }
}

extension TestCase {
    fileprivate init(_ run: ChanceTable.RedRun, in workspace: Workspace) {
        self.init(suite: ["chance"], name: "seed \(run.seed)")
        output = ["reproduce with: \(run.command)"]
        guard !run.judgement.isGreen else { return }
        outcome = .failed(
            TestFailure(run.judgement, run.breaches, command: run.command, in: workspace))
    }
}

extension ChanceTable {
    fileprivate var title: String {
        "\(runs) random runs of \(facades.joined(separator: ", ")), from seed \(firstSeed)"
    }

    fileprivate func failure(least: UInt64) -> TestFailure? {
        let rare = cells(below: least)
        guard !isGreen || !rare.isEmpty else { return nil }
        let parts = [
            red.isEmpty ? nil : "\(red.count) of \(runs) runs are red",
            rare.isEmpty ? nil : "\(rare.count) cells were reached fewer than \(least) times",
        ]
        return TestFailure(
            red.isEmpty ? "cells" : "judgement",
            parts.compactMap(\.self).joined(separator: "; "),
            details: rare.joined(separator: "\n"), command: red.first?.command)
    }
}
