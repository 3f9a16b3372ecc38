extension TestReport {
    /// Makes a case of each scenario. Its details list the red points.
    ///
    /// - Parameters:
    ///   - seconds: The real time of each table's runs.
    ///   - folder: The folder with the page of all points.
    package init(
        crashes tables: [CrashTable], seconds: [Double], folder: String, in workspace: Workspace
    ) {
        let folder = workspace.path(folder)
        self.init(
            of: "crash",
            zip(tables, seconds).map { table, seconds in
                var test = TestCase("crash", of: table.path, name: table.title, in: workspace)
                test.seconds = seconds
                test.output = [table.outcomes, "without a crash: \(table.reference.sentence)"]
                guard let failure = table.failure(in: workspace) else { return test }
                test.outcome = .failed(failure)
                test.attachments = ["index.html", "crashes.json"].map { "\(folder)/\($0)" }
                return test
            })
    }
}

extension TestReport {
    /// Makes a case of a single point, whose run has left its report in the folder.
    package init(
        crash row: CrashTable.Row, of path: String, seconds: Double, folder: String,
        in workspace: Workspace
    ) {
        var test = TestCase("crash", of: path, name: row.words, in: workspace)
        test.seconds = seconds
        test.output = ["reproduce with: \(row.command)"]
        if !row.judgement.isGreen {
            test.outcome = .failed(
                TestFailure(row.judgement, row.breaches, command: row.command, in: workspace))
            test.attachments = ["report.html", "events.jsonl"].map {
                "\(workspace.path(folder))/\($0)"
            }
        }
        self.init(of: "crash", [test])
    }
}

extension CrashTable {
    /// The number of red points that the details list.
    private static let shown = 20

    fileprivate var title: String { "\(scenario), seed \(seed), a crash at each point" }

    /// `576 crash points: 480 unharmed, 96 resumed`
    fileprivate var outcomes: String {
        let counts = Outcome.allCases.map { outcome in
            (outcome, rows.count { $0.outcome == outcome })
        }
        return "\(rows.count) crash points: "
            + counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
    }

    fileprivate func failure(in workspace: Workspace) -> TestFailure? {
        guard reference.isGreen else {
            return TestFailure("judgement", "red without a crash: \(reference.sentence)")
        }
        guard let first = red.first else { return nil }
        var details = red.prefix(Self.shown).map(\.block)
        if red.count > Self.shown {
            details.append("and \(red.count - Self.shown) more in crashes.json")
        }
        return TestFailure(
            first.breaches.first?.rule ?? "judgement",
            "\(red.count) of \(rows.count) crash points are red; \(first.words): \(first.cause)",
            details: details.joined(separator: "\n\n"), command: first.command)
    }
}

extension CrashTable.Row {
    fileprivate var words: String { "point \(number), \(how.rawValue), \(point.words)" }

    fileprivate var cause: String { breaches.first?.inOneLine ?? judgement.sentence }

    fileprivate var block: String {
        let causes = breaches.isEmpty ? [judgement.sentence] : breaches.map(\.inOneLine)
        return ([words] + causes.map { "  \($0)" } + ["  reproduce with: \(command)"])
            .joined(separator: "\n")
    }
}
