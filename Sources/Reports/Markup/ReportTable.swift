/// A plain table of text, with a caption and headers that a screen reader can use.
struct ReportTable {
    var caption: String
    var columns: [String]
    var rows: [[String]]
    /// The columns that are set flush right, with digits of one width.
    var isNumeric: Set<Int> = []

    var markup: Markup {
        """
        <div class="scroll"><table>
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
                ? "<th scope=\"row\">\(text)</th>" : "<td\(style(of: column))>\(text)</td>"
        }
    }

    private func style(of column: Int) -> Markup {
        isNumeric.contains(column) ? " class=\"number\"" : .nothing
    }
}
