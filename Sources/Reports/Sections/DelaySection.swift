import Foundation
import Quantities

/// What each trouble of the run has cost, if somebody has asked.
enum DelaySection {
    static func body(of model: ReportModel) -> Markup? {
        guard let table = model.delays else { return nil }
        let rows = table.rows
        let most = rows.compactMap(\.cost).map(\.nanoseconds.magnitude).max() ?? 1
        return """
            <div class="scroll"><table class="delays">
            <thead><tr><th scope="col">Without it</th><th scope="col">Completed at</th>\
            <th scope="col">It costs</th><th scope="col"></th></tr></thead>
            <tbody>\(rows.map { row($0, most: max(1, most)) })</tbody>
            </table></div>
            <p class="note">Each row is a run of its own, with the same seed, from which one \
            trouble was taken away. The cost is the time by which the transfers complete earlier \
            then, summed up over all of them. \(states(of: table))</p>
            """
    }

    private static func row(_ row: DelayTable.Row, most: UInt64) -> Markup {
        let share = Double(row.cost?.nanoseconds.magnitude ?? 0) / Double(most) * 100
        let state: Markup = (row.cost ?? .zero) < .zero ? "bar saved" : "bar"
        let width = String(format: "%.1f", share)
        return """
            <tr><th scope="row">\(row.words)</th><td>\(row.completion)</td>\
            <td>\(row.costWords)</td>\
            <td><div class="\(state)" style="width:\(width)%"></div></td></tr>

            """
    }

    private static func states(of table: DelayTable) -> String {
        guard !table.states.isEmpty else { return "" }
        return "The time of the transfers: " + table.stateWords + "."
    }
}

extension DelayTable {
    /// A row for people: a trouble, all of them, or what is left over.
    struct Row {
        var words: String
        var completion: String
        var cost: TimeSpan?

        var costWords: String { cost.map(\.rounded) ?? "–" }
    }

    /// The troubles, the most expensive first; then all of them, and their interaction.
    var rows: [Row] {
        let sorted = causes.enumerated().sorted { left, right in
            let costs = (left.element.cost ?? .zero, right.element.cost ?? .zero)
            return (costs.1, left.offset) < (costs.0, right.offset)
        }
        let rows = sorted.map { Self.row(of: $0.element) }
        guard causes.count > 1 else { return rows }
        let rest = interaction.map {
            Row(words: "together, beyond the sum of the single ones", completion: "", cost: $0)
        }
        return rows + [Self.row(of: all)] + [rest].compactMap(\.self)
    }

    private static func row(of cause: Cause) -> Row {
        Row(
            words: cause.words, completion: cause.completedWithout.map(\.told) ?? "never",
            cost: cause.cost)
    }

    var stateWords: String {
        states.map { "\($0.state.words) \($0.time.rounded)" }.joined(separator: ", ")
    }
}
