import Testing

/// Sets and dictionaries come in another order in every process, so a pure room may ask them but
/// not walk through them. Text shows this only where the same file declares the collection.
@Suite struct UnorderedIterationTests {
    /// Written beside a walk whose result cannot depend on the order, with the reason after it.
    static let excuse = "any order:"

    @Test func `no pure room walks through a set or a dictionary`() {
        let pure = House.sources.filter { !$0.isTest && Floors.pure.contains($0.target) }
        pure.flatMap(Self.walks).expectNone()
    }

    @Test(arguments: [
        "for one in open {}", "for (id, entry) in table {}", "for id in table.keys {}",
        "for entry in self.table.values where entry.isOpen {}", "open.forEach { close($0) }",
        "let all = table.map { $0.value }", "let list = Array(open)", "let some = open.first",
        "let list = [Int](open)", "let some = table.first { $0.value.isOpen }",
        "let all = table.values.reduce(0, +)", "let next = open.popFirst()",
    ])
    func `a walk is found`(walk: String) {
        #expect(Self.walks(in: Self.file(walk)).map(\.line) == [4])
    }

    @Test(arguments: [
        "for one in open.sorted() {}", "for id in table.keys.sorted() {}", "open.insert(3)",
        "if open.contains(3) && !open.isEmpty {}", "let count = table.count", "table[3] = nil",
        "let entry = table[3]?.first", "for one in list {}", "other.open.first",
        "let least = open.min()", "for id in table.sorted(by: { $0.key < $1.key }) {}",
        "let any = open.contains { $0 > 3 }", "for one in list where open.contains(one) {}",
        "for one in open { sum += one }  // any order: a sum",
        "// any order: each is closed by itself\nfor one in open { close(one) }",
    ])
    func `asking, sorting and excused walks are left alone`(use: String) {
        #expect(Self.walks(in: Self.file(use)).map(\.description) == [])
    }

    @Test(arguments: [
        "let open: Set<Int>", "var open = Set<Int>()", "let open: [Int: String]",
        "func close(open: [Session.ID: [Int]]) {}", "var open: Dictionary<Int, String>",
        "var open: Set<Int> = []", "let open = Dictionary(grouping: list) { $0 }",
        "let open = Set(list)", "var open: [Int: Int] = [:]", "var open: Set<Int>?",
    ])
    func `a collection without order is known by its declaration`(declaration: String) {
        #expect(Self.unordered(in: SourceLexer.tokens(of: declaration)) == ["open"])
    }

    @Test(arguments: [
        "let open: [Int]", "var open = [Int]()", "let open: [Set<Int>]", "var open = 3",
        "var open: [(Int, Int)]", "let open = Settings(a: 1)", "case open",
    ])
    func `a collection with an order is not mistaken`(declaration: String) {
        #expect(Self.unordered(in: SourceLexer.tokens(of: declaration)).isEmpty)
    }

    static func walks(in file: SourceFile) -> [Finding] {
        let tokens = file.tokens
        let names = unordered(in: tokens)
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            guard token.kind == .word, names.contains(token.text),
                walks(tokens, at: index), !isExcused(line: token.line, in: file)
            else { return nil }
            return file.finding(
                line: token.line, "“\(token.text)” has another order in every process",
                remedy: "sort it first, keep an array, or say “// \(excuse) …” why it cannot matter"
            )
        }
    }

    /// The names that the tokens declare as a set or a dictionary.
    static func unordered(in tokens: [SourceToken]) -> Set<String> {
        var names: Set<String> = []
        for index in tokens.indices.dropLast(2) where tokens[index].kind == .word {
            let declares = tokens[index + 1].isSymbol(":") || tokens[index + 1].isSymbol("=")
            if declares && opensUnordered(tokens[(index + 2)...]) {
                names.insert(tokens[index].text)
            }
        }
        return names
    }

    /// Whether a type or a value that begins here is a set or a dictionary.
    private static func opensUnordered(_ tokens: ArraySlice<SourceToken>) -> Bool {
        guard let first = tokens.first, let second = tokens.dropFirst().first else { return false }
        if first.isWord("Set") || first.isWord("Dictionary") {
            return second.isSymbol("<") || second.isSymbol("(")
        }
        guard first.isSymbol("[") else { return false }
        var depth = 0
        for token in tokens where token.kind == .symbol {
            switch token.text {
            case "[", "(", "<", "{": depth += 1
            case "]", ")", ">", "}": depth -= 1
            case ":" where depth == 1: return true
            default: break
            }
            if depth == 0 { return false }
        }
        return false
    }

    /// Whether the collection named at `index` is walked through there, rather than asked.
    private static func walks(_ tokens: [SourceToken], at index: Int) -> Bool {
        var start = index
        if start >= 2, tokens[start - 1].isSymbol(".") {
            guard tokens[start - 2].isWord("self") else { return false }
            start -= 2
        }
        var end = index + 1
        func member() -> String? {
            guard end + 1 < tokens.count, tokens[end].isSymbol(".") else { return nil }
            return tokens[end + 1].text
        }
        while let view = member(), ["keys", "values", "lazy"].contains(view) { end += 2 }
        if let verb = member() { return walkingVerbs.contains(verb) }
        let follows = end < tokens.count ? tokens[end] : nil
        let before = start > 0 ? tokens[start - 1] : nil
        if before?.isWord("in") ?? false {
            return follows.map { $0.isSymbol("{") || $0.isWord("where") } ?? false
        }
        let converts = start > 1 && ["Array", "]"].contains(tokens[start - 2].text)
        return converts && (before?.isSymbol("(") ?? false) && (follows?.isSymbol(")") ?? false)
    }

    private static let walkingVerbs: Set<String> = [
        "forEach", "map", "flatMap", "compactMap", "reduce", "first", "popFirst", "removeFirst",
        "enumerated", "prefix", "dropFirst", "joined", "makeIterator", "randomElement", "elements",
    ]

    private static func isExcused(line: Int, in file: SourceFile) -> Bool {
        [line, line - 1].contains { number in
            number > 0 && file.lines[number - 1].contains("// \(excuse)")
        }
    }

    private static func file(_ code: String) -> SourceFile {
        let declarations = "var open: Set<Int> = []\nvar table: [Int: Entry] = [:]\nlet list = [1]"
        return SourceFile(path: "Sources/Device/A.swift", text: "\(declarations)\n\(code)\n")
    }
}
