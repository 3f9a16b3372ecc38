import Testing

/// A name says what is inside; a bag of leftovers has no such name.
@Suite struct NameTests {
    static let bags: Set<String> = [
        "Utility", "Utilities", "Util", "Utils", "Helper", "Helpers", "Common", "Misc", "Manager",
        "Managers",
    ]

    /// Names that a source document of `behaviour` gives to a thing.
    static let namesOfSources: Set<String> = ["ResumableTransferManager"]

    @Test func `no file, folder or type is a bag`() {
        House.files.flatMap(Self.bagsInPath).expectNone()
        House.sources.flatMap(Self.bagsOfTypes).expectNone()
    }

    @Test func `every test is named by a sentence`() {
        House.sources.filter(\.isTest).flatMap(Self.testsWithoutSentence).expectNone()
    }

    @Test(arguments: [
        "Sources/Common/A.swift", "Sources/Live/SocketHelpers.swift", "Tests/Misc/B.swift",
    ])
    func `a bag in a path is found`(path: String) {
        #expect(Self.bagsInPath(path).count == 1)
    }

    @Test func `a word that only looks like a bag is left alone`() {
        #expect(Self.bagsInPath("Sources/Commonplace/Utilitarian.swift").isEmpty)
        #expect(Self.bagsInPath("Sources/TransferClient/ResumableTransferManager.swift").isEmpty)
    }

    @Test func `a type that is a bag is found`() {
        let text = "struct A {}\nextension A {\n    enum PathHelper {}\n}\nfinal class B {}\n"
        let findings = Self.bagsOfTypes(in: SourceFile(path: "B.swift", text: text))
        #expect(findings.map(\.line) == [3])
    }

    @Test func `a test without a sentence is found`() {
        let text = "@Test(arguments: [(1)]) func works() {}\n@Test func `it works`() {}\n"
        let findings = Self.testsWithoutSentence(in: SourceFile(path: "B.swift", text: text))
        #expect(findings.map(\.line) == [1])
    }

    static func bagsInPath(_ path: String) -> [Finding] {
        path.split(separator: "/").compactMap { part in
            let name = String(part.prefix { $0 != "." })
            return bag(in: name).map { word in
                Finding(
                    path: path, line: 1, fault: "“\(word)” in a path explains nothing",
                    remedy: "name it after the idea inside")
            }
        }
    }

    static func bagsOfTypes(in file: SourceFile) -> [Finding] {
        let kinds: Set<String> = [
            "struct", "class", "enum", "actor", "protocol", "typealias", "extension",
        ]
        return zip(file.tokens, file.tokens.dropFirst()).compactMap { keyword, name in
            guard keyword.kind == .word, kinds.contains(keyword.text), name.kind == .word,
                let word = bag(in: name.text)
            else { return nil }
            return file.finding(
                line: name.line, "“\(word)” in \(name.text) explains nothing",
                remedy: "name the type after what it is")
        }
    }

    static func testsWithoutSentence(in file: SourceFile) -> [Finding] {
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard tokens[index].isSymbol("@"), index + 1 < tokens.count,
                tokens[index + 1].isWord("Test"),
                let function = tokens[index...].firstIndex(where: { $0.isWord("func") }),
                function + 1 < tokens.count, tokens[function + 1].kind != .rawName
            else { return nil }
            return file.finding(
                line: tokens[function].line, "test \(tokens[function + 1].text)",
                remedy: "name it by a sentence in backticks that says what holds")
        }
    }

    /// The word of a camel-case name that makes it a bag.
    private static func bag(in name: String) -> String? {
        if namesOfSources.contains(name) { return nil }
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
        }
        return words.first { bags.contains($0.prefix(1).uppercased() + $0.dropFirst()) }
    }
}
