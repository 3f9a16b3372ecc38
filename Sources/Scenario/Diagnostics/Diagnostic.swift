/// One mistake in a scenario file: where it is, what was expected there, and a way out.
package struct Diagnostic: Hashable, Sendable {
    package var file: String
    package var line: Int
    package var column: Int
    package var message: String
    /// What would be right here, as a phrase that follows “expected”.
    package var expected: String?
    /// What was probably meant.
    package var suggestion: String?
    /// The line of the file, for the caret to point into.
    package var sourceLine: String
    /// How the file came to be read: the place that includes it, and the one that includes that.
    package var trail: [String] = []
}

extension Diagnostic: CustomStringConvertible {
    /// The form that compilers use, so that editors can jump to the place.
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

    /// The part of a line that fits on a terminal, with the place in it.
    private struct Excerpt {
        var text: String
        var caret: Int

        init(of line: String, around column: Int) {
            // A tab would put the caret elsewhere on every terminal.
            let scalars = line.unicodeScalars.map { $0 == "\t" ? " " : $0 }
            let index = min(column - 1, scalars.count)
            let first = index > 80 ? index - 40 : 0
            var shown = String.UnicodeScalarView()
            shown.append(contentsOf: scalars[first..<min(first + 100, scalars.count)])
            text = String(shown)
            caret = index - first
        }
    }
}

/// A scenario that cannot be played: all that is wrong with it, in the order of the file.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    package let diagnostics: [Diagnostic]

    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n\n")
    }
}
