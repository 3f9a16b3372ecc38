import Foundation
import Scenario
import Testing

/// `Scenarios/README.md`: what people read of the language is what the language is.
@Suite struct LanguagePageTests {
    static let page = text(of: "README.md")

    private static func text(of name: String) -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Scenarios/\(name)").path
        return (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }

    @Test func `its tables, and those of the statements, are what the program writes`() throws {
        let pages = [Self.page, Self.text(of: "STATEMENTS.md")]
        for (page, renewed) in zip(pages, try LanguagePage.renewed(pages)) where page != renewed {
            let lines = Set(page.split(separator: "\n"))
            let news = renewed.split(separator: "\n").filter { !lines.contains($0) }
            Issue.record(
                """
                Scenarios is behind the language; write its tables anew: ./lab schema --renew
                \(news.joined(separator: "\n"))
                """)
        }
    }

    @Test func `a table that has changed is written anew, and the rest of the page stays`() throws {
        let pages = try LanguagePage.renewed([Self.page, Self.text(of: "STATEMENTS.md")])
        let old = pages[0].replacing("| `refreshes-token` |", with: "| `token` |")
        #expect(old != pages[0])
        #expect(try LanguagePage.renewed([old, pages[1]]) == pages)
        let prose = pages[0].replacing("# The language of scenarios", with: "# Of scenarios")
        #expect(try LanguagePage.renewed([prose, pages[1]]) == [prose, pages[1]])
    }

    /// What is done to the page, and what the refusal says.
    static let faults: [(from: String, to: String, message: String)] = [
        ("table: an expectation, ", "table: expectations, ", "has no table “expectations”"),
        (
            LanguagePage.begin("an expectation"), "",
            "the page has no place for the table “an expectation”"
        ),
        (
            LanguagePage.begin("a task"), LanguagePage.begin("an operation"),
            "the page has two places for the table “an operation”"
        ),
        (
            "table: a task, written", "table: a task written",
            "does not have the form “<!-- table: NAME"
        ),
        (LanguagePage.end, "", "is missing after “\(LanguagePage.begin("a scenario"))”"),
    ]

    @Test(arguments: faults)
    func `a page without its place for a table says so`(from: String, to: String, message: String) {
        let failure = #expect(throws: LanguagePage.Failure.self) {
            try LanguagePage.renewed([
                Self.page.replacing(from, with: to, maxReplacements: 1),
                Self.text(of: "STATEMENTS.md"),
            ])
        }
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }

    @Test func `its example is a scenario`() throws {
        let parts = Self.page.components(separatedBy: "```yaml\n")
        let example = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
        let scenario = try Scenario.read(text: example, path: "example.yaml")
        #expect(scenario.name == "everything at once")
    }

    /// Where a word that nobody knows makes the reader say what it knows there.
    static let questions: [(line: Int, text: String)] = [
        (5, "strange: 1"), (5, "device: { strange: 1 }"),
        (5, "device: { os: ios-17, apps: { a: { strange: 1 } } }"), (5, "tcp: { strange: 1 }"),
        (5, "tcp: { client: { strange: 1 } }"),
        (5, "tcp: { controller: strange }"), (5, "tcp: { tls: strange }"),
        (6, "links:\n  strange: 1"), (7, uplink("strange: 1")), (7, uplink("profile: strange")),
        (7, uplink("loss: { strange: 1 }")), (7, uplink("jitter: { strange: 1 }")),
        (7, uplink("reorder: { strange: 1 }")), (7, uplink("duty: { strange: 1 }")),
        (7, uplink("queue: { discipline: strange }")), (7, uplink("queue: { strange: 1 }")),
        (7, uplink("stages: [ { strange: 1 } ]")), (7, uplink("cross-traffic: { strange: 1 }")),
        (7, uplink("competing: { strange: 1 }")),
        (7, uplink("loss: { gilbert-elliott: { strange: 1 } }")),
        (7, uplink("loss: { four-state: { strange: 1 } }")),
        (7, uplink("loss: { netem: { strange: 1 } }")), (5, "server: { strange: 1 }"),
        (5, "server: { faults: { a: { strange: 1 } } }"),
        (5, "server: { faults: { a: { front-end: strange } } }"),
    ]

    @Test(arguments: questions)
    func `it names every word that the reader knows`(line: Int, text: String) throws {
        let scenario = ValidScenario.text(with: line, replacedBy: text)
        let answer = ValidScenario.diagnostics(of: scenario)
            .first { $0.message.contains("strange") }
        let known = try #require(answer?.expected?.components(separatedBy: "one of ").last)
        let words = known.components(separatedBy: ", ")
        #expect(!words.isEmpty)
        for word in words {
            let stands = [
                "`\(word)`", " \(word)`", "`\(word):", " \(word):", "\n\(word):", "{ \(word)",
                ", \(word)",
            ]
            .contains { Self.page.contains($0) }
            #expect(stands, "nothing is said of “\(word)”")
        }
    }

    @Test(arguments: ["do", "at", "requests"])
    func `it names every sentence about faults that the reader knows`(key: String) throws {
        let text = "server: { faults: { a: { \(key): a b strange d e } } }"
        let answer = ValidScenario.diagnostics(
            of: ValidScenario.text(with: 5, replacedBy: text)
        ).first { $0.message.contains("strange") }
        let known = try #require(answer?.expected?.components(separatedBy: "\n    ").dropFirst())
        #expect(known.count > 3)
        for sentence in known {
            let stands = Self.page.contains("`\(sentence)`") || Self.page.contains("`\(sentence) ")
            #expect(stands, "nothing is said of “\(sentence)”")
        }
    }

    @Test func `it names every sentence that can be expected`() throws {
        let answer = ValidScenario.diagnostics(
            of: ValidScenario.text(with: 19, replacedBy: "  - strange thing happens here")
        ).first { $0.message.contains("strange") }
        let known = try #require(answer?.expected?.components(separatedBy: "\n    ").dropFirst())
        #expect(known.count > 20)
        for sentence in known {
            #expect(Self.page.contains("`\(sentence)`"), "nothing is said of “\(sentence)”")
        }
    }

    @Test(arguments: [
        "strange thing happens here: app killed", "4 s: strange thing happens here",
        "when strange thing happens here: app killed",
    ])
    func `it names every sentence of a timeline that the reader knows`(entry: String) throws {
        let answer = ValidScenario.diagnostics(
            of: ValidScenario.text(with: 16, replacedBy: "  - \(entry)")
        ).first { $0.message.contains("strange") }
        let known = try #require(answer?.expected?.components(separatedBy: "\n    ").dropFirst())
        #expect(known.count > 3)
        for sentence in known {
            #expect(Self.page.contains("`\(sentence)`"), "nothing is said of “\(sentence)”")
        }
    }

    @Test(arguments: ["strange thing happens here: start queue", "on launch: a strange thing"])
    func `it names every sentence about the app that the reader knows`(entry: String) throws {
        let answer = ValidScenario.diagnostics(
            of: ValidScenario.text(with: 14, replacedBy: "limit: 2 min\napp:\n  - \(entry)")
        ).first { $0.message.contains("strange") }
        let known = try #require(answer?.expected?.components(separatedBy: "\n    ").dropFirst())
        #expect(known.count > 2)
        for sentence in known {
            #expect(Self.page.contains("`\(sentence)`"), "nothing is said of “\(sentence)”")
        }
    }

    private static func uplink(_ keys: String) -> String {
        "  uplink: { rate: 10 Mbit/s, delay: 20 ms, \(keys) }"
    }
}
