/// Text in lines, for a terminal.
package enum Paragraph {
    private static let width = 80

    /// The words in lines of at most 80 columns, but for a word that is longer; `indent` stands
    /// before the first line, `rest` before the others.
    package static func wrapped(_ text: String, indent: String, rest: String) -> String {
        var lines: [String] = []
        var line = indent
        var isEmpty = true
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = rest
                isEmpty = true
            }
            line += isEmpty ? "\(word)" : " \(word)"
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
