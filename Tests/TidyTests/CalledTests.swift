import Testing

/// What nothing in the house calls is deleted, however well it is tested. A name that stands once
/// in all sources is such a thing; text cannot tell namesakes apart, so some go unseen.
@Suite struct CalledTests {
    /// Names that Swift's own protocols call.
    static let witnesses: Set<String> = [
        "main", "description", "debugDescription", "errorDescription", "hash", "encode",
        "userInfo", "codingPath", "container", "unkeyedContainer", "singleValueContainer",
        "nestedContainer", "nestedUnkeyedContainer", "superEncoder", "superDecoder",
        "appendLiteral", "appendInterpolation", "makeIterator", "next", "CodingKeys", "Element",
        "Iterator", "Failure", "ID",
    ]

    /// Until the command line stands, the rooms under it wait for their callers.
    @Test(.enabled(if: House.manifest.target(named: "transferlab") != nil))
    func `everything that is declared is called by something`() {
        Self.uncalled(in: House.sources.filter { !$0.isTest }).expectNone()
    }

    @Test func `a name that stands once is found, in whichever file`() {
        let sources = [
            SourceFile(
                path: "Sources/A/A.swift",
                text: """
                    struct Queue { var order: [Int]; let spare = 3 }
                    func run(_ queue: Queue) { stop() }
                    """),
            SourceFile(
                path: "Sources/B/B.swift",
                text: """
                    // spare and lost are only spoken of
                    func stop() { print("lost \\(queue.order)") }
                    func lost() { run(b) }
                    """),
        ]
        let findings = Self.uncalled(in: sources)
        #expect(
            findings.map { "\($0.path):\($0.line)" } == [
                "Sources/A/A.swift:1", "Sources/B/B.swift:3",
            ])
    }

    @Test(arguments: [
        "public func offered() {}", "var description: String { name }\nlet name = 1",
        "override func said() {}", "if let known { use(known) }", "public private(set) var a: Int",
    ])
    func `what somebody outside the house calls is left alone`(text: String) {
        let file = SourceFile(path: "Sources/A/A.swift", text: text)
        #expect(Self.uncalled(in: [file]).map(\.description) == [])
    }

    static func uncalled(in sources: [SourceFile]) -> [Finding] {
        var mentions: [String: Int] = [:]
        for token in sources.flatMap(\.tokens) where token.kind != .literal {
            mentions[token.text, default: 0] += 1
        }
        return sources.filter { $0.path != "Package.swift" }.flatMap { file in
            declarations(in: file).filter { mentions[$0.text] == 1 }.map { name in
                file.finding(
                    line: name.line, "nothing mentions “\(name.text)” but its declaration",
                    remedy: "delete it, or call it")
            }
        }
    }

    /// The names that a file declares, but for those that are called from outside the house.
    private static func declarations(in file: SourceFile) -> [SourceToken] {
        let keywords: Set<String> = [
            "func", "var", "let", "struct", "enum", "class", "actor", "protocol", "typealias",
        ]
        let tokens = file.tokens
        return tokens.indices.dropLast().compactMap { index in
            let (keyword, name) = (tokens[index], tokens[index + 1])
            guard keyword.kind == .word, keywords.contains(keyword.text),
                name.kind == .word || name.kind == .rawName, name.text != "_",
                !witnesses.contains(name.text), !name.text.hasSuffix("CodingKeys")
            else { return nil }
            let modifiers = tokens[..<index].reversed().prefix { $0.line == keyword.line }
            let isCalledFromOutside = modifiers.contains {
                $0.isWord("public") || $0.isWord("override")
            }
            return isCalledFromOutside ? nil : name
        }
    }
}
