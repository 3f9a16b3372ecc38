/// The costs of a run's troubles as lines for a terminal.
package enum DelayText {
    package static func text(for table: DelayTable, of scenario: String) -> String {
        let end = table.completedAt.map { "completes at \($0.told)" } ?? "does not complete"
        var lines = ["“\(scenario)” \(end)"]
        var rows = TextTable([.right, .left, .left])
        for row in table.rows {
            let completion = row.completion.isEmpty ? "" : "completes at \(row.completion)"
            rows.add([row.costWords, row.words, completion])
        }
        if table.causes.isEmpty {
            lines.append("nothing in it can be taken away: no fault, outage, loss or kill")
        } else {
            lines.append(rows.text)
        }
        if !table.states.isEmpty { lines.append("the transfers were " + table.stateWords) }
        return lines.joined(separator: "\n")
    }
}
