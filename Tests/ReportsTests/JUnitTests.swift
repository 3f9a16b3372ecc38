import Foundation
import FoundationXML
import Reports
import Testing

@Suite struct JUnitTests {
    @Test func `a suite has one case a run, and a red one says what was expected and seen`() throws
    {
        let cases = try Cases(JUnit.document(for: SampleRun.suite))
        #expect(cases.totals == ["tests": "2", "failures": "1", "errors": "0", "time": "1.750"])
        #expect(
            cases.names == ["app killed in the middle, seed 7", SampleRun.broken.name + ", seed 7"])
        #expect(cases.classes == ["simulated.Scenarios.queue", "simulated.Scenarios.queue"])
        #expect(cases.failures.count == 1)
        let failure = try #require(cases.failures.first)
        #expect(failure.contains("expected  an append at 3 MB, as the server had acknowledged"))
        #expect(failure.contains("seen      an append at 3000001 B"))
        #expect(failure.contains("reproduce with: ./lab run Scenarios/queue/kill.yaml --seed 7"))
    }

    @Test func `what XML cannot carry is replaced, and the rest comes through`() throws {
        var run = SampleRun()
        run.name = "bell \u{7} escape \u{1B}[31m <&>\"' \u{FFFE} “größe”"
        let suite = Suite(entries: [SuiteEntry(run.model(), folder: "a")])
        let cases = try Cases(JUnit.document(for: suite))
        #expect(
            cases.names == [
                "bell \u{FFFD} escape \u{FFFD}[31m <&>\"' \u{FFFD} “größe”, seed 7"
            ])
    }
}

/// A JUnit file as a build server's parser sees it.
private final class Cases: NSObject, XMLParserDelegate {
    private(set) var totals: [String: String] = [:]
    private(set) var names: [String] = []
    private(set) var classes: [String] = []
    private(set) var failures: [String] = []
    private var isInFailure = false

    init(_ document: String) throws {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        let isWellFormed = parser.parse()
        try #require(isWellFormed, "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        switch name {
        case "testsuite":
            totals = attributes.filter { ["tests", "failures", "errors", "time"].contains($0.key) }
        case "testcase":
            names.append(attributes["name"] ?? "")
            classes.append(attributes["classname"] ?? "")
        case "failure":
            isInFailure = true
            failures.append("")
        default: break
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if name == "failure" { isInFailure = false }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInFailure { failures[failures.count - 1] += string }
    }
}
