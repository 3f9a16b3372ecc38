/// The terminal output of crash points: counts of outcomes, and the details of red points.
package struct CrashText: Sendable {
    private let isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    package func text(for table: CrashTable) -> String {
        let mark = table.isGreen ? ink("32", "✔") : ink("31", "✘")
        var lines = ["\(mark) \(table.scenario)  \(ink("2", "\(table.rows.count) points"))"]
        if !table.reference.isGreen {
            lines.append("    " + ink("31", "red without a crash: \(table.reference.sentence)"))
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
        let isGreen = row.judgement.isGreen
        let mark = isGreen ? ink("32", "✔") : ink("31", "✘")
        var lines = [
            "\(mark) point \(row.number): \(row.how.rawValue), \(row.point.words)",
            "    \(row.outcome.rawValue); \(row.judgement.sentence)",
        ]
        for breach in row.breaches {
            lines += [
                "    \(breach.title)", "      expected   \(breach.expected)",
                "      seen       \(breach.seen)", "      at         \(breach.occasion)",
            ]
        }
        if !isGreen { lines.append("    reproduce  " + ink("1", row.command)) }
        return lines.joined(separator: "\n")
    }

    package func total(of tables: [CrashTable]) -> String {
        let points = tables.reduce(0) { $0 + $1.rows.count }
        let red = tables.reduce(0) { $0 + $1.red.count }
        let isGreen = tables.allSatisfy(\.isGreen)
        return "\(points) crash points: "
            + (isGreen
                ? ink("32", "✔ all green") : "\(points - red) green, " + ink("31", "✘ \(red) red"))
    }

    /// The number of red entries that are shown.
    private static let shown = 5

    private func ink(_ code: String, _ text: String) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
