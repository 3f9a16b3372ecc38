import Foundation
import Scenario
import Testing

/// `Scenarios/README.md`: what people read of the language is what the language is.
@Suite struct LanguagePageTests {
    static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Scenarios/README.md").path
        return (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }()

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
                "`\(word)`", "`\(word):", " \(word):", "\n\(word):", "{ \(word)", ", \(word)",
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
        // Holes are filled on the page.
        let holes = /\b(TIMES|TIME|AMOUNT|SIZE|PATH|NAME|N)\b/
        let fillings = [
            "TIME": "[0-9]+ (?:s|min)", "TIMES": "[0-9]+ times,?", "AMOUNT": "[0-9]+ (?:%|MB)",
            "SIZE": "[0-9]+ MB", "PATH": "(?:incoming/)?video.mov", "N": "[0-9]+",
            "NAME": "(?:backup|tablet|studio|NAME)",
        ]
        for sentence in known {
            let form = sentence.replacing("+", with: "\\+")
                .replacing(holes) { fillings[String($0.output.1)] ?? "" }
                .replacing(" ", with: "\\s+")
            let expression = try Regex("`\(form)(?:`|, if)")
            #expect(
                Self.page.firstMatch(of: expression) != nil, "nothing is said of “\(sentence)”")
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
            let words = sentence.split(separator: " ").map { word in
                switch word {
                case "N": "[0-9]"
                case "PATH": "[a-z/]+.mov"
                case "NAME": "[a-z]+"
                case "TIME": "[0-9]+ s"
                default: String(word).replacing("+", with: "\\+")
                }
            }
            let expression = try Regex("`\(words.joined(separator: "\\s+"))`")
            #expect(
                Self.page.firstMatch(of: expression) != nil, "nothing is said of “\(sentence)”")
        }
    }

    private static func uplink(_ keys: String) -> String {
        "  uplink: { rate: 10 Mbit/s, delay: 20 ms, \(keys) }"
    }
}
