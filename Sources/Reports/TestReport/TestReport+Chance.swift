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
        let red = table.red.map { run in
            var test = TestCase(suite: ["chance"], name: "seed \(run.seed)")
            test.outcome = .failed(
                TestFailure(run.judgement, run.breaches, command: run.command, in: workspace))
            return test
        }
        self.init(of: "chance", [whole] + red)
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
