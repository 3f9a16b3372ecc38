/// The terminal output of `list --evidence`: a line for each clause, with a column for each kind of
/// run.
package struct EvidenceText: Sendable {
    private let ink: TerminalInk

    package init(isColoured: Bool) { ink = TerminalInk(isColoured: isColoured) }

    package func text(for table: EvidenceTable) -> String {
        var lines = TextTable([.left, .right, .right, .right, .left])
        lines.add(["clause", "scenarios", "chance", "crashes"])
        for row in table.rows {
            lines.add(
                [row.clause] + [row.scenarios, row.chance, row.crashes].map(Self.words)
                    + [row.sentence])
        }
        // Marks whole lines, because colours would disturb the widths of the columns.
        let empty = [false] + table.rows.map(\.isEmpty)
        let marked = zip(lines.text.split(separator: "\n"), empty).map { line, isEmpty in
            isEmpty ? ink(.red, "✘ \(line)") : "  \(line)"
        }
        return marked.joined(separator: "\n")
    }

    /// Returns the last line.
    package func total(of table: EvidenceTable) -> String {
        let empty = table.empty
        guard !empty.isEmpty else {
            return "\(table.rows.count) clauses: " + ink(.green, "✔ each was decided")
        }
        let names = empty.map(\.clause).joined(separator: ", ")
        return "\(table.rows.count) clauses: " + ink(.red, "✘ \(empty.count) never decided")
            + " (\(names))"
    }

    private static func words(_ count: Int) -> String { count == 0 ? "–" : String(count) }
}
