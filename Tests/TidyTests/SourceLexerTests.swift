import Testing

/// The rules see code through the lexer, so what it hides has to be hidden and nothing else.
@Suite struct SourceLexerTests {
    @Test(arguments: [
        ("let a1 = b.c", "let a1 = b . c"),
        ("a // b\nc", "a c"),
        ("a /* b /* c */ d */ e", "a e"),
        (#"a("b // \" c", d)"#, #"a ( ‹b //  c› , d )"#),
        (#"a("b \(c("d")) e") f"#, "a ( ‹b  e› c ( ‹d› ) ) f"),
        (##"a(#"b \(c) " \#(d)"#) e"##, ##"a ( ‹b \(c) " › d ) e"##),
        ("a = \"\"\"\n  b \"c\" // d\n  \"\"\"\ne", "a = ‹\n  b \"c\" // d\n  › e"),
        ("func `a, b`() {}", "func `a, b` ( ) { }"),
        ("let r = /\"/\nlet s", "let r = / ‹/› let s"),
        ("0x1F + 1_000.5", "0x1F + 1_000 . 5"),
    ])
    func `code is cut into tokens`(code: String, tokens: String) {
        let shown = SourceLexer.tokens(of: code).map { token in
            switch token.kind {
            case .literal: "‹\(token.text)›"
            case .rawName: "`\(token.text)`"
            case .word, .number, .symbol: token.text
            }
        }
        #expect(shown.joined(separator: " ") == tokens)
    }

    @Test func `every token knows its line`() {
        let code = "a\n/* b\n */ c\n\"\"\"\n\\(d)\n\"\"\" + e\n// f\ng"
        let lines = SourceLexer.tokens(of: code).filter { $0.kind == .word }
        #expect(lines.map { "\($0.text)\($0.line)" } == ["a1", "c3", "d5", "e6", "g8"])
    }
}
