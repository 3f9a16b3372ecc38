/// The terminal output of crash points: counts of outcomes, and the details of red points.
package struct CrashText: Sendable {
    private let ink: TerminalInk

    /// The number of red entries that are shown.
    private static let shown = 5

    package init(isColoured: Bool) { ink = TerminalInk(isColoured: isColoured) }

    package func text(for table: CrashTable) -> String {
        let mark = ink.mark(isGreen: table.isGreen)
        var lines = ["\(mark) \(table.scenario)  \(ink(.quiet, "\(table.rows.count) points"))"]
        if !table.reference.isGreen {
            lines.append("    " + ink(.red, "red without a crash: \(table.reference.sentence)"))
        }
        var counts = TextTable([.left] + CrashTable.Outcome.allCases.map { _ in .right })
        counts.add([""] + CrashTable.Outcome.allCases.map(\.rawValue))
        for how in CrashTable.Crash.allCases {
            counts.add(
                [how.rawValue] + CrashTable.Outcome.allCases.map { "\(table.count(how, $0))" })
        }
        lines += counts.text.split(separator: "\n").map { "    \($0)" }
        let red = table.red
        for row in red.prefix(Self.shown) { lines.append(text(for: row)) }
        if red.count > Self.shown {
            lines.append("    and \(red.count - Self.shown) more in the report")
        }
        return lines.joined(separator: "\n")
    }

    package func text(for row: CrashTable.Row) -> String {
        let mark = ink.mark(isGreen: row.judgement.isGreen)
        let lines = [
            "\(mark) point \(row.number): \(row.how.rawValue), \(row.point.words)",
            "    \(row.outcome.rawValue); \(row.judgement.sentence)",
        ]
        let details = ink.details(row.judgement, row.breaches, command: row.command)
        return (lines + details).joined(separator: "\n")
    }

    package func total(of tables: [CrashTable]) -> String {
        let points = tables.reduce(0) { $0 + $1.rows.count }
        let red = tables.reduce(0) { $0 + $1.red.count }
        let isGreen = tables.allSatisfy(\.isGreen)
        return "\(points) crash points: " + ink.verdict(isGreen: isGreen, red: red, of: points)
    }
}
