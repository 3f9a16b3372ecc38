import Checks
import Foundation
import FoundationXML
import Reports
import Testing

@Suite struct JUnitTests {
    @Test func `a suite has one case a run, and a red one says what was expected and seen`() throws
    {
        let cases = try Cases(SampleRun.junit(of: SampleRun.suite))
        #expect(cases.totals == ["tests": "2", "failures": "1", "errors": "0", "time": "1.750"])
        #expect(
            cases.names == ["app killed in the middle, seed 7", SampleRun.broken.name + ", seed 7"])
        #expect(cases.classes == ["simulated.Scenarios.queue", "simulated.Scenarios.queue"])
        #expect(cases.failures.count == 1)
        let failure = try #require(cases.failures.first)
        #expect(failure.contains("expected  an append at 3 MB, as the server had acknowledged"))
        #expect(failure.contains("seen      an append at 3000001 B"))
        #expect(failure.contains("reproduce with: ./lab run Scenarios/queue/kill.yaml --seed 7"))
        #expect(failure.hasPrefix("Scenarios/queue/kill.yaml:1\n"))
    }

    @Test func `the message of a red run names rule, expectation, sight and moment`() throws {
        let document = SampleRun.junit(of: SampleRun.suite)
        let message = try #require(document.firstMatch(of: /<failure type="S3" message="([^"]*)"/))
        let words = String(message.output.1)
        #expect(words.contains("S3: "))
        #expect(words.contains("expected an append at 3 MB, as the server had acknowledged; "))
        #expect(words.contains("seen an append at 3000001 B; at 5.12 s, event "))
    }

    @Test func `an expectation's own line is the place of its failure`() throws {
        let verdicts = SampleRun.held.map { verdict in
            guard verdict.kind == .expectation else { return verdict }
            var broken = verdict
            broken.answer = SampleRun.breach(at: 3)
            return broken
        }
        let entry = SuiteEntry(SampleRun().model(verdicts: verdicts), folder: "red")
        let document = SampleRun.junit(of: Suite(entries: [entry]))
        #expect(document.contains("type=\"expectation\""))
        #expect(document.contains("\">Scenarios/queue/kill.yaml:14:5\n"), "\(document)")
    }

    @Test func `only a red run attaches its report and its events`() {
        let lines = SampleRun.junit(of: SampleRun.suite).split(separator: "\n")
        #expect(
            lines.filter { $0.contains("ATTACHMENT") } == [
                "[[ATTACHMENT|out/broken/report.html]]", "[[ATTACHMENT|out/broken/events.jsonl]]",
            ])
    }

    @Test func `a suite has the time of its beginning and its host`() {
        let document = SampleRun.junit(of: SampleRun.suite)
        #expect(document.contains("timestamp=\"1970-01-01T00:00:00Z\" hostname=\"here\""))
    }

    @Test func `what XML cannot carry is replaced, and the rest comes through`() throws {
        var run = SampleRun()
        run.name = "bell \u{7} escape \u{1B}[31m <&>\"' \u{FFFE} “größe”"
        let suite = Suite(entries: [SuiteEntry(run.model(), folder: "a")])
        let cases = try Cases(SampleRun.junit(of: suite))
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
