/// The tables of the performance page: a row for each case of a file, or a table for each case that
/// has changed.
enum PerformanceTables {
    /// The largest number of cases with a table of their own.
    private static let caseLimit = 100

    static func markup(for report: PerformanceReport) -> Markup {
        report.isComparison ? changes(in: report) : files(of: report)
    }

    static func words(_ spread: Spread?, of figure: PerformanceFigure) -> String {
        spread.map(figure.words) ?? "–"
    }

    private static func files(of report: PerformanceReport) -> Markup {
        SuiteIndex.section("Figures", [note] + report.files.map(file))
    }

    private static let note: Markup = """
        <p class="note">Medians over the seeds, with the 5th and 95th percentile below if the \
        runs differ.</p>

        """

    private static func file(_ cases: [PerformanceCase]) -> Markup {
        let figures = PerformanceFigure.all(of: cases.flatMap(\.after))
        let why = cases[0].after.first?.about?.why ?? ""
        let rows = cases.map { one -> Markup in
            let cells = figures.map { cell($0.title, one.row(of: $0)?.after, of: $0) }
            return """
                <tr><th scope="row">\(one.caseWords)</th>\(cell("Runs", "\(one.after.count)"))\
                \(cells)</tr>

                """
        }
        return """
            <div class="file"><h3>\(cases[0].fileTitle)</h3>
            <p class="why">\(why)\(why.isEmpty ? "" : " · ")<code>\(cases[0].path)</code></p>
            \(table(cases[0].fileTitle, ["Case", "Runs"] + figures.map(\.title), rows))</div>

            """
    }

    /// Returns a table whose rows become small lists on a narrow screen.
    private static func table(_ name: String, _ columns: [String], _ rows: [Markup]) -> Markup {
        """
        <div class="scroll"><table class="lying figures" aria-label="\(name)">
        <thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" })</tr></thead>
        <tbody>\(rows)</tbody>
        </table></div>
        """
    }

    private static func cell(
        _ label: String, _ spread: Spread?, of figure: PerformanceFigure
    ) -> Markup {
        guard let spread else { return cell(label, "–") }
        return cell(label, figure.words(spread.median), below: figure.range(of: spread))
    }

    /// Returns a cell with a value, and its range in a second line.
    private static func cell(_ label: String, _ value: String, below: String? = nil) -> Markup {
        let range: Markup = below.map { " <small>\($0)</small>" } ?? .nothing
        return "<td data-label=\"\(label)\"><span>\(value)\(range)</span></td>"
    }

    private static func changes(in report: PerformanceReport) -> Markup {
        let changed = report.cases.filter { !$0.isSame }
        let left = changed.count - min(changed.count, caseLimit)
        let rest: Markup =
            left == 0
            ? .nothing : "<p class=\"note\">\(left) more cases are in performance.json.</p>\n"
        let tables = changed.prefix(caseLimit).map(change)
        let none: [Markup] = ["<p>No figure of any case differs.</p>\n"]
        return SuiteIndex.section(
            "Changes", (changed.isEmpty ? none : [howToRead] + tables) + [rest])
            + same(report.cases.filter(\.isSame))
    }

    private static let howToRead: Markup = """
        <p class="note">A is the first suite, B the second. Each figure is a median over the \
        seeds, with the 5th and 95th percentile below. A change is the median over pairs with the \
        same seed, with its 95 % confidence interval below (bootstrap). A figure is better or \
        worse if the whole interval is on one side of zero. With one seed the change is exact.</p>

        """

    private static func change(_ one: PerformanceCase) -> Markup {
        let completion = one.row(of: .completion)
        let change = completion?.change.map(PerformanceFigure.completion.words) ?? ""
        let isOpen = one.result == .slower || one.result == .faster
        let rows = one.figures.map { row -> Markup in
            let change = row.change.map(row.figure.parts)
            return """
                <tr><th scope="row">\(row.figure.title)</th>\
                \(cell("A", row.before, of: row.figure))\(cell("B", row.after, of: row.figure))\
                \(cell("Change", change?.median ?? "–", below: change?.interval))\
                \(cell("Finding", row.finding?.rawValue ?? "–"))</tr>

                """
        }
        let table = table(
            "\(one.scenario): A and B", ["Figure", "A", "B", "Change", "Finding"], rows)
        let seeds = max(one.before.count, one.after.count)
        return """
            <details class="change"\(isOpen ? " open=\"open\"" : .nothing as Markup)>
            <summary>\(badge(one.result)) <strong>\(one.scenario)</strong> \
            <span class="count">\(change.isEmpty ? "" : "time \(change), ")\
            \(seeds == 1 ? "1 seed" : "\(seeds) seeds")</span></summary>
            <p class="why"><code>\(one.path)</code></p>
            \(one.lost == 0 ? .nothing : lost(one.lost))\(table)</details>

            """
    }

    private static func lost(_ count: Int) -> Markup {
        """
        <p>\(count == 1 ? "1 run completes" : "\(count) runs complete") in A, but not in B.</p>

        """
    }

    static func badge(_ result: PerformanceCase.Result) -> Markup {
        let (style, mark): (Markup, String) =
            switch result {
            case .slower, .onlyBefore: ("red", "✘")
            case .faster: ("green", "✔")
            case .equal, .unpaired, .onlyAfter: ("grey", "=")
            }
        let words = result == .equal ? "equal in time" : result.rawValue
        return "<span class=\"badge \(style)\">\(mark) \(words)</span>"
    }

    private static func same(_ cases: [PerformanceCase]) -> Markup {
        guard !cases.isEmpty else { return .nothing }
        let figures: [PerformanceFigure] = [.completion, .goodput, .sentAgain]
        let rows = cases.map { one -> Markup in
            let cells = figures.map { cell($0.title, one.row(of: $0)?.after, of: $0) }
            return "<tr><th scope=\"row\">\(one.scenario)</th>\(cells)</tr>\n"
        }
        return """
            <section aria-label="Without a difference"><h2>Without a difference</h2>
            <details><summary>\(cases.count == 1 ? "1 case" : "\(cases.count) cases")</summary>
            \(table("Without a difference", ["Case"] + figures.map(\.title), rows))\
            </details></section>

            """
    }
}
