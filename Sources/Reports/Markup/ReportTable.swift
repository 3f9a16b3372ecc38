/// A table of text with a caption and headers, accessible to screen readers. A table with few
/// entries is upright: it has a column for each entry. Otherwise entries are rows, and on a narrow
/// screen each row becomes a small list.
struct ReportTable {
    var caption: String
    var columns: [String]
    var rows: [[String]]
    /// The columns that are right-aligned, with digits of equal width.
    var isNumeric: Set<Int> = []

    /// The largest number of entries in an upright table.
    var uprightLimit = 2

    /// The largest number of rows shown unfolded, to keep the page short.
    private static let openLimit = 12

    /// The markup of the table; empty if there are no rows.
    var markup: Markup {
        guard !rows.isEmpty else { return .nothing }
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
                : """
                <td data-label="\(columns[column])"\(style(of: column))>\
                <span>\(unbroken(text))</span></td>
                """
        }
    }

    /// Returns the text without line breaks between numbers and units.
    private func unbroken(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        for (place, scalar) in scalars.enumerated().dropFirst().dropLast() where scalar == " " {
            let next = scalars[place + 1]
            guard ("0"..."9").contains(scalars[place - 1]),
                next == "%" || next.properties.isAlphabetic
            else { continue }
            scalars[place] = "\u{00A0}"
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private func style(of column: Int) -> Markup {
        isNumeric.contains(column) ? " class=\"number\"" : .nothing
    }
}
