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
    package var text: String { text(of: Array(alignments.indices)) }

    /// Returns the table, and if it is wider than `width` a part of its columns after the other,
    /// each beside the first column.
    package func text(within width: Int?) -> String {
        guard let width else { return text }
        var parts = [[0]]
        var taken = widths[0]
        for column in alignments.indices.dropFirst() {
            if parts[parts.count - 1].count > 1, taken + 2 + widths[column] > width {
                parts.append([0])
                taken = widths[0]
            }
            parts[parts.count - 1].append(column)
            taken += 2 + widths[column]
        }
        return parts.map(text).joined(separator: "\n\n")
    }

    private var widths: [Int] {
        alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
    }

    private func text(of columns: [Int]) -> String {
        let widths = widths
        return rows.map { row in
            let cells = columns.filter(row.indices.contains).map { column in
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
