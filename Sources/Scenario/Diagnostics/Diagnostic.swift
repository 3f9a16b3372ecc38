/// A mistake in a file: its place, what was expected, and a way out.
package struct Diagnostic: Hashable, Sendable {
    package var file: String
    package var line: Int
    package var column: Int
    package var message: String
    /// A phrase after “expected”.
    package var expected: String?
    /// The probable intention.
    package var suggestion: String?
    /// The line of the file, for the caret to point into; empty if it is not shown.
    package var sourceLine = ""
    /// How the file came to be read: the including place, then the place that includes that file.
    package var trail: [String] = []

    package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The message in the form of compilers, so that editors can jump to the place.
    package var description: String {
        var lines = ["\(file):\(line):\(column): error: \(message)"]
        if let expected { lines.append("  expected \(expected)") }
        if let suggestion { lines.append("  did you mean \(suggestion)?") }
        let excerpt = Excerpt(of: sourceLine, around: column)
        if !excerpt.text.isEmpty {
            let number = "\(line)"
            let margin = String(repeating: " ", count: number.count)
            lines.append("  \(number) | \(excerpt.text)")
            lines.append("  \(margin) | \(String(repeating: " ", count: excerpt.caret))^")
        }
        lines += trail.map { "  \($0)" }
        return lines.joined(separator: "\n")
    }

    /// The part of a line that fits on a terminal, with the caret's column.
    private struct Excerpt {
        var text: String
        var caret: Int

        init(of line: String, around column: Int) {
            // The width of a tab differs between terminals.
            let scalars = line.unicodeScalars.map { $0 == "\t" ? " " : $0 }
            let index = min(column - 1, scalars.count)
            let first = index > 60 ? index - 30 : 0
            var shown = String.UnicodeScalarView()
            shown.append(contentsOf: scalars[first..<min(first + 70, scalars.count)])
            text = String(shown)
            caret = index - first
        }
    }
}

/// All mistakes of a scenario that cannot be played, in the order of the file.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    package let diagnostics: [Diagnostic]

    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n\n")
    }
}
