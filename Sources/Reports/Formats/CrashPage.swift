/// `index.html` of crash points: counts of outcomes, the red points, and all points.
package enum CrashPage {
    package static func document(for tables: [CrashTable]) -> String {
        let page = HTMLPage(
            headline: words(for: tables), of: "crashes", isGreen: tables.allSatisfy(\.isGreen),
            main: "\(tables.map(section))\(note)")
        return page.text
    }

    private static let note: Markup = """
        <p class="note">Each point is a run of its own, judged by the invariants. \
        Expectations are skipped, because they describe a run without a crash. \
        The outcome is the worst effect \
        of the crash on any transfer: resumed where the server was, or restarted at byte 0. A \
        transfer that needs the user does not end by itself.</p>

        """

    private static func words(for tables: [CrashTable]) -> String {
        let points = tables.reduce(0) { $0 + $1.rows.count }
        let red = tables.reduce(0) { $0 + $1.red.count }
        if let broken = tables.first(where: { !$0.reference.isGreen }) {
            return "“\(broken.scenario)” is red without a crash"
        }
        return red == 0
            ? "All invariants held at all \(points) crash points"
            : "Invariants failed at \(red) of \(points) crash points"
    }

    private static func section(of table: CrashTable) -> Markup {
        let red = table.red
        return """
            <section aria-label="\(table.scenario)"><h2>\(table.scenario)</h2>
            <p class="why">\(table.path) · seed \(table.seed) · without a crash: \
            \(table.reference.sentence)</p>
            \(counts(of: table))
            \(red.isEmpty ? .nothing : "<h3>Red</h3>" as Markup)\(red.map(breaches))
            \(rows(of: table))
            </section>

            """
    }

    private static func counts(of table: CrashTable) -> Markup {
        ReportTable(
            caption: "Outcomes of the crashes",
            columns: ["Crash"] + CrashTable.Outcome.allCases.map(\.rawValue) + ["Red"],
            rows: CrashTable.Crash.allCases.map { how in
                [how.rawValue]
                    + CrashTable.Outcome.allCases.map { "\(table.count(how, $0))" }
                    + ["\(table.red.count { $0.how == how })"]
            },
            isNumeric: Set(1...(CrashTable.Outcome.allCases.count + 1)), uprightLimit: 0
        ).markup
    }

    private static func breaches(of row: CrashTable.Row) -> Markup {
        """
        <p><span class="badge red">✘</span> Point \(row.number): \(row.how.rawValue), \
        \(row.point.words)</p>
        \(row.breaches.map { breach in
            """
            <p class="why">\(breach.inOneLine)</p>

            """ as Markup
        })<p class="why"><code>\(row.command)</code></p>

        """
    }

    private static func rows(of table: CrashTable) -> Markup {
        ReportTable(
            caption: "All points", columns: ["Point", "Crash", "Where", "Outcome", "Verdict"],
            rows: table.rows.map { row in
                [
                    "\(row.number)", row.how.rawValue, row.point.words, row.outcome.rawValue,
                    row.judgement.isGreen ? "✔" : "✘ \(row.judgement.sentence)",
                ]
            }, isNumeric: [0]
        ).markup
    }
}
