import Testing

/// A line fits beside another file, a function fits a screen, a file is one idea.
@Suite struct SizeTests {
    static let columnsMax = 100
    static let fileLinesMax = 400
    static let functionLinesMax = 70

    @Test func `no line is longer than 100 columns`() {
        House.sources.flatMap(Self.longLines).expectNone()
    }

    @Test func `no file is longer than 400 lines`() {
        House.sources.flatMap(Self.longFile).expectNone()
    }

    @Test func `no function is longer than 70 lines`() {
        House.sources.flatMap(Self.longFunctions).expectNone()
    }

    @Test func `a line of 101 columns is found, in a comment too`() {
        let text =
            "// \(String(repeating: "x", count: 97))\n// \(String(repeating: "é", count: 98))"
        let findings = Self.longLines(in: SourceFile(path: "Sources/A/B.swift", text: text))
        #expect(findings.map(\.line) == [2])
    }

    @Test func `a file of 401 lines is found`() {
        let full = SourceFile(path: "B.swift", text: String(repeating: "\n", count: 400))
        let over = SourceFile(path: "B.swift", text: String(repeating: "\n", count: 401))
        #expect(Self.longFile(full).isEmpty)
        #expect(Self.longFile(over).map(\.line) == [401])
    }

    @Test(arguments: [
        "func long(_ work: () -> Void = {}) {", "init(a: Int) {", "var long: Int {",
        "subscript(a: Int) -> Int {",
    ])
    func `a function of 71 lines is found, and one of 70 is not`(opening: String) {
        func body(lines: Int) -> SourceFile {
            let inside = String(repeating: "    if a { b() }\n", count: lines - 2)
            let text = "protocol P {\n    func bare()\n}\n\(opening)\n\(inside)}\n"
            return SourceFile(path: "B.swift", text: text)
        }
        #expect(Self.longFunctions(in: body(lines: 70)).isEmpty)
        #expect(Self.longFunctions(in: body(lines: 71)).map(\.line) == [4])
    }

    static func longLines(in file: SourceFile) -> [Finding] {
        file.lines.enumerated()
            // A line has at least as many bytes as columns, and bytes are counted at once.
            .filter { $0.element.utf8.count > columnsMax && $0.element.count > columnsMax }
            .map { index, line in
                file.finding(
                    line: index + 1, "\(line.count) columns", remedy: "break it at \(columnsMax)")
            }
    }

    static func longFile(_ file: SourceFile) -> [Finding] {
        guard file.lines.count > fileLinesMax else { return [] }
        return [
            file.finding(
                line: fileLinesMax + 1, "\(file.lines.count) lines",
                remedy: "a file is one idea of at most \(fileLinesMax) lines: find the second one")
        ]
    }

    static func longFunctions(in file: SourceFile) -> [Finding] {
        let tokens = file.tokens
        return tokens.indices.compactMap { start in
            guard let end = endOfBody(from: start, in: tokens) else { return nil }
            let lines = tokens[end].line - tokens[start].line + 1
            guard lines > functionLinesMax else { return nil }
            return file.finding(
                line: tokens[start].line, "a function of \(lines) lines",
                remedy: "at most \(functionLinesMax): name a part of it and take it out")
        }
    }

    /// Where the body that is declared at `start` closes, if anything with a body is declared
    /// there.
    private static func endOfBody(from start: Int, in tokens: [SourceToken]) -> Int? {
        let word = tokens[start]
        guard word.kind == .word,
            ["func", "init", "deinit", "subscript", "var"].contains(word.text),
            start == 0 || !tokens[start - 1].isSymbol(".")
        else { return nil }
        var depth = 0
        var body: Int?
        for index in (start + 1)..<max(start + 1, tokens.count) {
            let token = tokens[index]
            if token.kind == .word && body == nil && depth == 0 {
                // The next declaration: this one, in a protocol or with a value, has no body.
                if ["func", "init", "var", "let", "case", "static"].contains(token.text) {
                    return nil
                }
            }
            guard token.kind == .symbol else { continue }
            switch token.text {
            case "=" where word.text == "var" && body == nil && depth == 0: return nil
            case "{" where depth == 0 && body == nil: (body, depth) = (index, 1)
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 && body != nil { return index }
                if depth < 0 { return nil }
            default: break
            }
        }
        return nil
    }
}
