import Scenario
import Testing

@testable import Runs

/// Who has a bug and no patience finds the scenario that is nearest to it.
@Suite struct SymptomSearchTests {
    private static let killed = text(
        "an upload goes on after a kill", "a process dies, and its bytes must not be sent twice",
        cites: "A9, TUSKit#162")
    private static let portal = text(
        "captive portal", "the page of a portal must not end an upload", cites: "A16")

    @Test func `forms of a word, and words with the same meaning, are one word`() throws {
        #expect(try found("photos are duplicated after crashes") == ["killed.yaml"])
        #expect(try found("hotel") == ["portal.yaml"])
        for pair in [
            ("uploads", "uploading"), ("retries", "retry"), ("stopped", "stops"),
            ("resumed", "resuming"), ("crashes", "killed"), ("wlan", "wifi"),
        ] {
            #expect(SymptomWords.stem(pair.0) == SymptomWords.stem(pair.1), "\(pair)")
        }
        #expect(SymptomWords.stem("the") == nil)
        #expect(SymptomWords.stem("upload") != SymptomWords.stem("download"))
    }

    @Test func `more of the words are nearer than one of them`() throws {
        #expect(try found("upload killed") == ["killed.yaml", "portal.yaml"])
        #expect(try found("upload portal") == ["portal.yaml", "killed.yaml"])
    }

    @Test func `a field bug is found by its name`() throws {
        let search = SymptomSearch(for: "is it TUSKit#162?", in: try Self.scenarios())
        #expect(search.hits.map(\.path) == ["killed.yaml"])
        #expect(search.hits.first?.words == ["TUSKit#162"])
        #expect(search.unknown.isEmpty)
    }

    @Test func `what no scenario knows is said`() throws {
        let search = SymptomSearch(for: "the portal and bluetooth", in: try Self.scenarios())
        #expect(search.unknown == ["bluetooth"])
        #expect(search.hits.first?.words == ["portal"])
    }

    @Test func `statements near to it that no scenario covers are said`() throws {
        let search = SymptomSearch(for: "a cancelled operation", in: try Self.scenarios())
        #expect(search.uncovered.map(\.number).contains("U5"))
        #expect(!search.uncovered.map(\.number).contains("A9"))
    }

    private func found(_ description: String) throws -> [String] {
        SymptomSearch(for: description, in: try Self.scenarios()).hits.map(\.path)
    }

    private static func scenarios() throws -> [Scenario] {
        [
            try Scenario.read(text: killed, path: "killed.yaml"),
            try Scenario.read(text: portal, path: "portal.yaml"),
        ]
    }

    private static func text(_ name: String, _ why: String, cites: String) -> String {
        """
        name: \(name)
        why: \(why)
        cites: [\(cites)]
        links: { profile: apple-wifi }
        files: { a.bin: 80 kB }
        queue: [{ upload: a.bin, to: in/a.bin }]
        expect: [session 1 completes within 30 s]
        """
    }
}
