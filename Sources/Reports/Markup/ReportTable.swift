/// A plain table of text, with a caption and headers that a screen reader can use.
///
/// Few things with many figures stand upright, a column each; many things are rows, and on a narrow
/// screen each row becomes a small list of its own.
struct ReportTable {
    var caption: String
    var columns: [String]
    var rows: [[String]]
    /// The columns that are set flush right, with digits of one width.
    var isNumeric: Set<Int> = []

    /// So many rows may stand upright.
    var uprightLimit = 2

    /// More rows are folded away, so that they do not bury what comes after them.
    private static let openLimit = 12

    var markup: Markup {
        if rows.count <= uprightLimit { return upright }
        guard rows.count > Self.openLimit else { return lying }
        return """
            <details class="broad"><summary>\(caption): \(rows.count) rows</summary>
            \(lying)</details>
            """
    }

    private var upright: Markup {
        """
        <div class="scroll"><table class="upright">
        <caption>\(caption)</caption>
        <thead><tr><th scope="col">\(columns[0])</th>\
        \(rows.map { "<th scope=\"col\">\($0[0])</th>" })</tr></thead>
        <tbody>\(columns.indices.dropFirst().map { column in
            """
            <tr><th scope="row">\(columns[column])</th>\
            \(rows.map { "<td>\(unbroken($0[column]))</td>" })</tr>

            """
        })</tbody>
        </table></div>
        """
    }

    private var lying: Markup {
        """
        <div class="scroll broad"><table class="lying">
        <caption>\(caption)</caption>
        <thead><tr>\(columns.indices.map { header(of: $0) })</tr></thead>
        <tbody>\(rows.map { "<tr>\(cells(of: $0))</tr>\n" })</tbody>
        </table></div>
        """
    }

    private func header(of column: Int) -> Markup {
        "<th scope=\"col\"\(style(of: column))>\(columns[column])</th>"
    }

    private func cells(of row: [String]) -> [Markup] {
        row.enumerated().map { column, text in
            column == 0
                ? "<th scope=\"row\"><span class=\"narrow\">\(columns[0]) </span>\(text)</th>"
                : "<td data-label=\"\(columns[column])\"\(style(of: column))>\(unbroken(text))</td>"
        }
    }

    /// No line break between a number and its unit.
    private func unbroken(_ text: String) -> String {
        text.replacing(/([0-9]) (?=[%\p{L}])/) { "\($0.output.1)\u{00A0}" }
    }

    private func style(of column: Int) -> Markup {
        isNumeric.contains(column) ? " class=\"number\"" : .nothing
    }
}
