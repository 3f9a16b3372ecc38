import Foundation

/// `trend.html`: each figure over the last builds, those that changed first.
package enum TrendPage {
    package static func document(for table: TrendTable, by program: ProgramVersion?) -> String {
        let changed = table.rows.filter { !$0.steps.isEmpty }
        let steady = table.rows.filter(\.steps.isEmpty)
        let builds = table.builds.count == 1 ? "1 build" : "\(table.builds.count) builds"
        let page = HTMLPage(
            title: "Trend of \(builds) · TransferLab",
            body: """
                <header class="headline green">
                \(HTMLPage.eyebrow(of: "trend", by: program))
                <h1>\(changed.count) of \(table.rows.count) figures changed in \(builds)</h1>
                <p class="why">\(span(of: table))</p>
                </header>
                <main>\(section("Changed", changed, of: table))\
                \(folded(steady, of: table))\(note)</main>
                """)
        return page.text
    }

    private static let note: Markup = """
        <p class="note">Simulated figures are exact, so any change is a step. A measured figure \
        has a step where it leaves the range of the builds before by more than 3 %, and stays \
        there in the next build.</p>

        """

    private static func span(of table: TrendTable) -> String {
        guard let first = table.builds.first, let last = table.builds.last else { return "" }
        return "from \(first.name) (\(first.date)) to \(last.name) (\(last.date))"
    }

    private static func section(
        _ title: String, _ rows: [TrendTable.Row], of table: TrendTable
    ) -> Markup {
        guard !rows.isEmpty else { return .nothing }
        return """
            <section aria-label="\(title)"><h2>\(title)</h2>
            <div class="scroll"><table class="trend">
            <thead><tr><th scope="col">Figure</th><th scope="col">First</th>\
            <th scope="col">Over the builds</th><th scope="col">Now</th>\
            <th scope="col">Steps</th></tr></thead>
            <tbody>\(rows.map { row($0, of: table) })</tbody>
            </table></div></section>

            """
    }

    private static func row(_ row: TrendTable.Row, of table: TrendTable) -> Markup {
        let known = row.values.compactMap(\.self)
        let steps = row.steps.map { place -> Markup in
            let before = row.values[..<place].last { $0 != nil } ?? nil
            return """
                <p>\(table.builds[place].name): \(before?.words ?? "–") to \
                \(row.values[place]?.words ?? "–")\(change(from: before, to: row.values[place]))</p>
                """
        }
        return """
            <tr><th scope="row">\(row.subject)<p class="why">\(row.figure)</p></th>\
            <td>\(known.first?.words ?? "–")</td><td>\(drawing(of: row))</td>\
            <td>\(known.last?.words ?? "–")</td><td>\(steps)</td></tr>

            """
    }

    private static func change(from: TrendTable.Value?, to: TrendTable.Value?) -> String {
        guard let from, let to, from.number != 0 else { return "" }
        let percent = (to.number / from.number - 1) * 100
        return String(format: " (%+.1f %%)", percent)
    }

    /// Draws the values from the least to the greatest, with a dot at each step.
    private static func drawing(of row: TrendTable.Row) -> Markup {
        let numbers = row.values.compactMap { $0?.number }
        let (least, greatest) = (numbers.min() ?? 0, numbers.max() ?? 1)
        let height = max(greatest - least, 1e-300)
        let width = Double(max(1, row.values.count - 1))
        func place(_ index: Int, _ value: TrendTable.Value) -> (x: String, y: String) {
            (
                String(format: "%.1f", 4 + Double(index) / width * 192),
                String(format: "%.1f", 32 - (value.number - least) / height * 28)
            )
        }
        let points = row.values.enumerated().compactMap { index, value in
            value.map { value in
                let point = place(index, value)
                return "\(point.x),\(point.y)"
            }
        }
        let dots = row.steps.compactMap { index -> Markup? in
            guard let value = row.values[index] else { return nil }
            let point = place(index, value)
            return "<circle cx=\"\(point.x)\" cy=\"\(point.y)\" r=\"3\" />"
        }
        return """
            <svg class="spark" width="200" height="36" role="img" aria-label="\(row.subject), \
            \(row.figure), \(row.steps.count) steps"><polyline class="line series-1" \
            points="\(points.joined(separator: " "))" />\(dots)</svg>
            """
    }

    /// Returns the figures without a step as a list of their values.
    private static func folded(_ rows: [TrendTable.Row], of table: TrendTable) -> Markup {
        guard !rows.isEmpty else { return .nothing }
        let lines = rows.map { row -> Markup in
            let last = row.values.last { $0 != nil } ?? nil
            return """
                <tr><th scope="row">\(row.subject)<p class="why">\(row.figure)</p></th>\
                <td>\(last?.words ?? "–")</td></tr>

                """
        }
        return """
            <section aria-label="Unchanged"><h2>Unchanged</h2>
            <details><summary>\(rows.count == 1 ? "1 figure" : "\(rows.count) figures") without a \
            step</summary>
            <div class="scroll"><table class="trend">
            <thead><tr><th scope="col">Figure</th><th scope="col">Now</th></tr></thead>
            <tbody>\(lines)</tbody>
            </table></div></details></section>

            """
    }
}
