/// Text wrapped for a terminal.
package enum Paragraph {
    private static let width = 80

    /// Wraps text at 80 columns, but never inside a word. `indent` precedes the first line, `rest`
    /// the others.
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
