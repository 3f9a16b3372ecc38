import Scenario
import Testing

/// What keeps a file from being read as YAML is said before anything else, and once.
@Suite struct SyntaxMistakeTests {
    typealias Row = (text: String, at: String, message: String)

    static let rows: [Row] = [
        ("", "1:1", "the file is empty"),
        ("\n# a comment\n\n", "2:12", "the file is empty"),
        ("name: a\u{0}b", "1:8", "the control character U+0000"),
        ("name: a\nwhy: \u{1B}[1m", "2:6", "the control character U+001B"),
        ("name:\n\tgiven: a", "2:1", "a tab in the indentation"),
        ("name: 'a\nwhy: b", "1:7", "a quote that is never closed"),
        ("a: { b: 1,\n  c: 2\n", "1:4", "this brace is not closed: reading stopped at line 3"),
        ("a: [ b,\n  c\n", "1:4", "this bracket is not closed: reading stopped at line 3"),
        ("a: { b: 1 c: 2 }", "1:12", "a comma or the closing brace is missing before this"),
        ("a: { b: ${c} }", "1:10", "to YAML the brace of “${…}” opens another mapping here"),
        ("a: [\n  b, x${c} ]", "2:8", "to YAML the brace of “${…}” opens another mapping here"),
        ("files:\n  *.mov: 8 MB", "2:3", "“*” and “&” begin an alias or an anchor"),
        ("why: this: and that", "1:10", "a colon inside a value"),
        ("name: @home", "1:7", "a character that cannot begin a value"),
        ("a:\n  b: 1\n c: 2", "3:2", "this line does not fit the mapping that begins at line 1"),
        ("a:\n - b\n c: 2", "3:2", "this line does not fit the list that begins at line 2"),
        ("name: a\nwhy b\n", "2:1", "a key without a colon"),
        (
            "name: \"\\q\"", "1:8",
            "not YAML: found unknown escape character (while parsing a quoted scalar)"
        ),
        (String(repeating: "[", count: 33), "1:33", "nested too deeply"),
        // The list and 9999 items may stand: the next item is one too many.
        ("[\(String(repeating: "a,", count: 10_000))]", "1:20000", "too much for one scenario"),
        ("[name, why]", "1:1", "a list where a mapping of keys to values is needed"),
    ]

    @Test(arguments: rows) func `a file that is not YAML is told where it ends to be`(row: Row) {
        let seen = ValidScenario.diagnostics(of: row.text)
        #expect(
            seen.map { "\($0.line):\($0.column) \($0.message)" } == ["\(row.at) \(row.message)"])
    }

    @Test func `a second document is refused, and the first is still read`() {
        let text = ValidScenario.text(with: 23, replacedBy: "must-fail: L9\n---\nname: b")
        let seen = ValidScenario.diagnostics(of: text).map { "\($0.line): \($0.message)" }
        #expect(seen == ["23: there is no check “L9”", "24: a second document begins here"])
    }

    @Test func `every line that is indented with a tab is named`() {
        let seen = ValidScenario.diagnostics(of: "links:\n\tuplink: 1\n  \tdownlink: 2\n\t\n")
        #expect(seen.map { "\($0.line):\($0.column)" } == ["2:1", "3:3"])
    }

    @Test func `bytes that are not UTF-8 have a place`() throws {
        let error = #expect(throws: ScenarioError.self) {
            try Scenario.cases(Array("name: a\nwhy: caf".utf8) + [0xE9, 0x0A], path: "x.yaml")
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(error?.diagnostics.count == 1)
        #expect((diagnostic.line, diagnostic.column) == (2, 9))
        #expect(diagnostic.message == "a byte that is not UTF-8")
    }

    @Test func `a file over 1 MiB is not read at all`() {
        let comment = "#" + String(repeating: "x", count: 1 << 20)
        let seen = ValidScenario.diagnostics(of: comment)
        #expect(seen.map(\.message) == ["the file has 1048577 bytes"])
    }

    @Test func `a byte order mark and the line ends of Windows are taken as they come`() {
        let text = "\u{FEFF}" + ValidScenario.text(with: 23, replacedBy: "must-fail: L9")
        let windows = text.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\r\n")
        let seen = ValidScenario.diagnostics(of: windows)
        #expect(
            seen.map { "\($0.line):\($0.column) \($0.message)" } == ["23:12 there is no check “L9”"]
        )
    }
}
