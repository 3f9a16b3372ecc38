import Testing

/// Sets and dictionaries come in another order in every process, so a pure room may ask them but
/// not walk through them. Text knows them by their declaration: in the same file, or in another
/// file of the room under a name that the room gives to nothing else.
@Suite struct UnorderedIterationTests {
    /// Written beside a walk whose result cannot depend on the order, with the reason after it.
    static let excuse = "any order:"

    @Test func `no pure room walks through a set or a dictionary`() {
        for room in Floors.pure.sorted() {
            Self.walks(inRoom: House.sources.filter { $0.target == room }).expectNone()
        }
    }

    @Test(arguments: [
        "for one in open {}", "for (id, entry) in table {}", "for id in table.keys {}",
        "for entry in self.table.values where entry.isOpen {}", "open.forEach { close($0) }",
        "let all = table.map { $0.value }", "let list = Array(open)", "let some = open.first",
        "let list = [Int](open)", "let some = table.first { $0.value.isOpen }",
        "let all = table.values.reduce(0, +)", "let next = open.popFirst()",
        "for entry in unknown.values {}", "let all = other.unknown.keys.map { $0 }",
    ])
    func `a walk is found`(walk: String) {
        #expect(Self.walks(in: Self.file(walk)).map(\.line) == [4])
    }

    @Test(arguments: [
        "for one in open.sorted() {}", "for id in table.keys.sorted() {}", "open.insert(3)",
        "if open.contains(3) && !open.isEmpty {}", "let count = table.count", "table[3] = nil",
        "let entry = table[3]?.first", "for one in list {}", "other.open.first",
        "for value in fields.values(of: name) {}", "for key in values {}",
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

    @Test(arguments: [
        "for one in open {}", "for one in other.open {}", "let all = self.table.map { $0 }",
        "let list = Array(a.b.open)",
    ])
    func `a walk is found in another file of the room than the declaration`(walk: String) {
        let other = SourceFile(path: "Sources/Device/B.swift", text: walk)
        #expect(Self.walks(inRoom: [Self.file(""), other]).map(\.path) == [other.path])
    }

    @Test func `a name that the room also gives to an array is not taken for the set`() {
        let other = SourceFile(
            path: "Sources/Device/B.swift", text: "let open: [Int]\nfor one in open {}\n")
        #expect(Self.walks(inRoom: [Self.file(""), other]).isEmpty)
    }

    @Test func `what one file keeps to itself says nothing about another`() {
        let declarations = """
            struct A {
                private var open: Set<Int>
                func close() { let table: Set<Int> = [] }
            }
            """
        let files = [
            SourceFile(path: "Sources/Device/A.swift", text: declarations),
            SourceFile(path: "Sources/Device/B.swift", text: "for one in open { table.map {} }"),
        ]
        #expect(Self.walks(inRoom: files).isEmpty)
    }

    static func walks(inRoom files: [SourceFile]) -> [Finding] {
        let unordered = files.reduce(into: Set<String>()) { names, file in
            names.formUnion(
                Self.unordered(in: file.tokens).intersection(sharedProperties(of: file)))
        }
        let others = files.reduce(into: Set<String>()) { $0.formUnion(typed(in: $1.tokens)) }
        return files.flatMap { file in
            let bound = Set(bindings(in: file.tokens).map(\.text))
                .subtracting(Self.unordered(in: file.tokens))
            return walks(
                in: file, unorderedInRoom: unordered.subtracting(others).subtracting(bound))
        }
    }

    static func walks(in file: SourceFile, unorderedInRoom: Set<String> = []) -> [Finding] {
        let tokens = file.tokens
        let unorderedHere = unordered(in: tokens)
        return tokens.indices.compactMap { index in
            let name = tokens[index]
            guard name.kind == .word else { return nil }
            let start = startOfChain(to: index, in: tokens)
            let isOwn = start == index || tokens[start].isWord("self")
            let isUnordered =
                unorderedInRoom.contains(name.text) || (isOwn && unorderedHere.contains(name.text))
                || (start < index && ["keys", "values"].contains(name.text))
            guard isUnordered, isWalk(tokens, from: start, through: index),
                !isExcused(line: name.line, in: file)
            else { return nil }
            return file.finding(
                line: name.line, "“\(name.text)” has another order in every process",
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

    /// The names that the tokens declare as something else, as far as its type is spelled out.
    private static func typed(in tokens: [SourceToken]) -> Set<String> {
        var names: Set<String> = []
        for index in tokens.indices.dropLast(2) where tokens[index].kind == .word {
            guard tokens[index + 1].isSymbol(":") else { continue }
            let type = tokens[index + 2]
            let opensType = type.text.first.map { $0.isUppercase || "[(".contains($0) } ?? false
            if opensType && !opensUnordered(tokens[(index + 2)...]) {
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

    /// The properties of a file's types that other files of the room can see.
    private static func sharedProperties(of file: SourceFile) -> Set<String> {
        let types: Set<String> = ["struct", "class", "enum", "extension", "protocol"]
        var bodies: [Bool] = []
        var opensType = false
        var isPrivate = false
        var names: Set<String> = []
        for (token, next) in zip(file.tokens, file.tokens.dropFirst()) {
            switch (token.kind, token.text) {
            case (.symbol, "{"):
                bodies.append(opensType)
                opensType = false
            case (.symbol, "}"): _ = bodies.popLast()
            case (.word, let word) where types.contains(word):
                (opensType, isPrivate) = (true, false)
            case (.word, "func"), (.word, "init"): (opensType, isPrivate) = (false, false)
            case (.word, "private"): isPrivate = !next.isSymbol("(")
            case (.word, "var"), (.word, "let"):
                if bodies.last == true && !isPrivate { names.insert(next.text) }
                isPrivate = false
            default: break
            }
        }
        return names
    }

    /// The names after `let` and `var`.
    private static func bindings(in tokens: [SourceToken]) -> [SourceToken] {
        zip(tokens, tokens.dropFirst()).filter { $0.0.isWord("let") || $0.0.isWord("var") }
            .map(\.1)
    }

    /// Where `a.b.name` begins, of which `index` is the last name.
    private static func startOfChain(to index: Int, in tokens: [SourceToken]) -> Int {
        var start = index
        while start >= 2, tokens[start - 1].isSymbol("."), tokens[start - 2].kind == .word {
            start -= 2
        }
        return start
    }

    /// Whether the collection that `start` to `index` name is walked through, rather than asked.
    private static func isWalk(_ tokens: [SourceToken], from start: Int, through index: Int) -> Bool
    {
        let before = start > 0 ? tokens[start - 1] : nil
        let follows = index + 1 < tokens.count ? tokens[index + 1] : nil
        if let follows, follows.isSymbol("."), index + 2 < tokens.count {
            return walkingVerbs.contains(tokens[index + 2].text)
        }
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
        let text = """
            struct A { var open: Set<Int> = []
                var table: [Int: Entry] = [:]
                let list = [1]
            \(code)
            }
            """
        return SourceFile(path: "Sources/Device/A.swift", text: text)
    }
}
