/// Text whose long lines go on below, so that a terminal breaks no word of them.
enum FoldedText {
    /// Folds each line that is longer than `width`, between words. A command is one word, so that
    /// it can be copied.
    static func folded(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { line($0, width: width) }.joined(separator: "\n")
    }

    private static func line(_ text: Substring, width: Int) -> [String] {
        guard visibleCount(text) > width, !isFixed(text) else { return [String(text)] }
        let words = words(of: text)
        // A last column with enough room goes on below itself; any other begins a line if need be.
        let last = words.last(where: \.isColumn)?.column ?? width
        let hasRoom = last <= width * 2 / 3
        let indentation = hasRoom ? last : (words.first?.column ?? 0) + 2
        var lines: [String] = []
        var line = ""
        var count = 0
        for (index, word) in words.enumerated() {
            let length = visibleCount(word.text)
            let isLate = !hasRoom && word.isColumn && end(ofColumn: index, words) > width
            if count > indentation, isLate || count + word.gap + length > width {
                lines.append(line)
                line = String(repeating: " ", count: indentation) + word.text
                count = indentation + length
            } else {
                line += String(repeating: " ", count: word.gap) + word.text
                count += word.gap + length
            }
        }
        return lines + [line]
    }

    /// Returns the place in the unfolded line where the column ends that begins with a word.
    private static func end(ofColumn index: Int, _ words: [Word]) -> Int {
        let next = words[(index + 1)...].firstIndex(where: \.isColumn) ?? words.count
        return words[next - 1].column + visibleCount(words[next - 1].text)
    }

    /// Whether a line keeps its form: a mistake, which editors read, with a line of its file below
    /// it, or a row of a Markdown table.
    private static func isFixed(_ line: Substring) -> Bool {
        line.hasPrefix("|") || line.contains(/^ +[0-9]* \|/)
            || line.contains(/:[0-9]+:[0-9]+: (error|warning):/)
    }

    private struct Word {
        /// The number of spaces before it.
        var gap: Int
        /// Its place in the unfolded line.
        var column: Int
        var text: String

        /// Whether it begins another column of a table.
        var isColumn: Bool { gap > 1 && column > gap }
    }

    /// Returns the words of a line. A number and its unit are one word.
    private static func words(of text: Substring) -> [Word] {
        var words: [Word] = []
        var (column, gap) = (0, 0)
        // Codes for colours that stand alone belong to the next word.
        var codes = ""
        var rest = text
        while !rest.isEmpty {
            let spaces = rest.prefix { $0 == " " }.count
            rest = rest.dropFirst(spaces)
            (column, gap) = (column + spaces, gap + spaces)
            let word = isCommand(rest) ? rest : rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count)
            let length = visibleCount(word)
            guard length > 0 else {
                codes += word
                continue
            }
            if gap == 1, let last = words.indices.last, isNumber(words[last].text) {
                words[last].text += " " + codes + word
            } else {
                words.append(Word(gap: gap, column: column, text: codes + word))
            }
            column += length
            (gap, codes) = (0, "")
        }
        if let last = words.indices.last { words[last].text += codes }
        return words
    }

    private static func isNumber(_ word: String) -> Bool {
        word.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Whether a command begins here, perhaps in colour.
    private static func isCommand(_ text: Substring) -> Bool {
        text.drop { $0 == "\u{1B}" || $0 == "[" || $0.isNumber || $0 == "m" }.hasPrefix("./lab ")
    }

    /// Returns the number of characters without the codes for colours.
    private static func visibleCount(_ text: some StringProtocol) -> Int {
        var count = 0
        var isCode = false
        for character in text {
            if character == "\u{1B}" { isCode = true }
            if !isCode { count += 1 }
            if isCode, character == "m" { isCode = false }
        }
        return count
    }
}
