import Testing

/// What a program of another package sees is told in words.
@Suite struct WordsTests {
    @Test func `what is public says what it is`() {
        House.sources.filter { !$0.isTest }.flatMap(Self.wordless).expectNone()
    }

    @Test func `a type and a function without words are found`() {
        let text = """
            public struct Told {
                public let plain: Int
                public func open() -> Int { 1 }
                /// Shuts it.
                @discardableResult
                public func close() -> Int { 2 }
                public static func < (left: Self, right: Self) -> Bool { true }
                public func hash(into hasher: inout Hasher) { plain.hash(into: &hasher) }
            }
            extension Listener { public func heard() {} }
            package func own() -> Int { 3 }
            """
        let file = SourceFile(path: "Sources/Checks/A.swift", text: text)
        #expect(Self.wordless(in: file).map(\.line) == [1, 3])
    }

    /// Words that everybody knows from elsewhere need none of ours, and what answers for a listener
    /// that does not care has them where it is demanded.
    private static let known = ["hash(into", "encode(to", "init(from"]

    static func wordless(in file: SourceFile) -> [Finding] {
        let lines = file.lines.map { $0.drop { $0 == " " } }
        return lines.indices.compactMap { index in
            let words = lines[index].split { " (:".contains($0) }
            guard words.contains("public"), !lines[index].hasPrefix("//"),
                let kind = words.first(where: kinds.contains),
                let name = words.drop(while: { $0 != kind }).dropFirst().first,
                name.first?.isLetter == true, !lines[index].contains("{}"),
                !lines[index].hasSuffix("("),
                !known.contains(where: { lines[index].contains($0) })
            else { return nil }
            let above = lines[..<index].last { !$0.hasPrefix("@") }
            guard above?.hasPrefix("///") != true else { return nil }
            return file.finding(
                line: index + 1, "\(kind) \(name) is public, and nothing says what it is",
                remedy: "write a line of documentation above it")
        }
    }

    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "typealias",
    ]
}
