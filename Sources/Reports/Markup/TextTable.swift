/// A table for a terminal: columns two spaces apart, numbers right-aligned.
package struct TextTable {
    package enum Alignment: Sendable {
        case left, right
    }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    package init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// Adds a row; missing cells stay empty.
    package mutating func add(_ cells: [String]) {
        precondition(
            cells.count <= alignments.count, "\(cells) does not fit \(alignments.count) columns")
        rows.append(cells)
    }

    /// The table's lines without trailing spaces and without a final line break.
    package var text: String {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return alignments[column] == .left
                    ? row[column] + padding : padding + row[column]
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
