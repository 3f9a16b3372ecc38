import Testing

/// What is committed is finished: no mark of unfinished work, nothing that traps instead of
/// working.
@Suite struct FinishedTests {
    /// Put together from halves, so that this file does not hold what it looks for.
    static let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]

    @Test func `no text holds a mark of unfinished work`() {
        House.texts.flatMap { Self.marks(in: $0.text, path: $0.path) }.expectNone()
    }

    @Test func `nothing traps because it is not written yet`() {
        House.sources.flatMap(Self.unwritten).expectNone()
    }

    @Test(arguments: marks) func `a mark is found, but not inside a longer word`(mark: String) {
        let text = "fine\n// \(mark): later\nlet a = \"\(mark)\"\nmkdtemp(\"lab\(mark)\(mark)\")\n"
        #expect(Self.marks(in: text, path: "B.swift").map(\.line) == [2, 3])
    }

    @Test(arguments: [
        "fatalError(\"not implemented\")", "fatalError(\"Unimplemented: x\")", "fatalError()",
        "preconditionFailure(\"to do\")",
    ])
    func `a trap instead of a body is found`(trap: String) {
        let file = SourceFile(path: "B.swift", text: "func a() {\n    \(trap)\n}\n")
        #expect(Self.unwritten(in: file).map(\.line) == [2])
    }

    @Test func `a broken invariant may trap with its values`() {
        let text = #"preconditionFailure("session \(id) has no offset")"#
        #expect(Self.unwritten(in: SourceFile(path: "B.swift", text: text)).isEmpty)
    }

    static func marks(in text: String, path: String) -> [Finding] {
        guard marks.contains(where: { text.contains($0) }) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .compactMap { index, line in
                marks.first { line.split { !$0.isLetter }.contains(Substring($0)) }.map { mark in
                    Finding(
                        path: path, line: index + 1, fault: "\(mark) in committed text",
                        remedy: "finish it, or open an issue and delete the mark")
                }
            }
    }

    static func unwritten(in file: SourceFile) -> [Finding] {
        let traps: Set<String> = ["fatalError", "preconditionFailure", "assertionFailure"]
        let excuses = ["implement", "to do", "to" + "do", "not yet", "placeholder"]
        let tokens = file.tokens
        return tokens.indices.dropLast(2).compactMap { index in
            guard tokens[index].kind == .word, traps.contains(tokens[index].text) else {
                return nil
            }
            let said = tokens[index + 2]
            let excused = excuses.contains { said.text.lowercased().contains($0) }
            guard said.isSymbol(")") || (said.kind == .literal && excused) else { return nil }
            return file.finding(
                line: said.line, "\(tokens[index].text) instead of work",
                remedy: "write it, or say with values which invariant broke")
        }
    }
}
