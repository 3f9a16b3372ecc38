import Foundation
import FoundationXML
import Testing

/// The rules of Jenkins' xUnit plugin (`junit-10.xsd`) hold for `junit.xml` of every command.
@Suite struct JUnitSchemaTests {
    /// What an element may be in, and which attributes it must or may have, in every version of
    /// the schema: earlier ones know no `group`, later ones no `file` and `line` of a case.
    private struct Rule {
        var parents: [String]
        var required: Set<String> = []
        var allowed: Set<String> = []
    }

    private static let rules: [String: Rule] = [
        "testsuites": Rule(
            parents: [""], allowed: ["name", "time", "tests", "failures", "errors"]),
        "testsuite": Rule(
            parents: ["testsuites"], required: ["name", "tests", "failures", "errors"],
            allowed: [
                "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url",
            ]),
        "testcase": Rule(
            parents: ["testsuite"], required: ["name"], allowed: ["time", "classname", "group"]),
        "failure": Rule(parents: ["testcase"], allowed: ["type", "message"]),
        "error": Rule(parents: ["testcase"], allowed: ["type", "message"]),
        "skipped": Rule(parents: ["testcase"], allowed: ["type", "message"]),
        "system-out": Rule(parents: ["testcase", "testsuite"]),
    ]

    private static let calls: [[String]] = [
        ["run", "."], ["run", ".", "--fail-fast", "--jobs", "1", "--filter", "tagged"],
        ["live", "red.yaml"], ["crash", "."], ["chance", "--runs", "5", "--cells", "1"],
    ]

    @Test(arguments: calls)
    func `every element and attribute is one of the schema, and the counts are right`(
        words: [String]
    ) throws {
        let desk = try Desk()
        for name in ["a/red.yaml", "b/red.yaml"] {
            let text = Desk.red.replacing("files:", with: "tags: [tagged]\nfiles:")
            try desk.write(text.replacing("note.txt: 80 kB", with: "note.txt: 4 kB"), to: name)
        }
        let answer = try Program.run(words + ["--report", "out"], in: desk.url)
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        let tree = try Tree(desk.data(of: "out/junit.xml"))
        for element in tree.elements {
            let rule = try #require(Self.rules[element.name], "<\(element.name)> is unknown")
            let names = Set(element.attributes.keys)
            #expect(rule.parents.contains(element.parent), "\(element)")
            #expect(rule.required.isSubset(of: names), "\(element)")
            #expect(names.isSubset(of: rule.required.union(rule.allowed)), "\(element)")
            if let time = element.attributes["time"] {
                #expect(time.wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil, "\(element)")
            }
        }
        for suite in tree.elements where suite.name == "testsuite" {
            for (attribute, child) in [
                ("tests", "testcase"), ("failures", "failure"), ("errors", "error"),
                ("skipped", "skipped"),
            ] {
                let count = tree.elements.count {
                    $0.name == child && $0.suite == suite.attributes["name"]
                }
                #expect(suite.attributes[attribute] == "\(count)", "\(attribute) of \(suite)")
            }
            let began = try Date(suite.attributes["timestamp"] ?? "", strategy: .iso8601)
            #expect(abs(began.timeIntervalSinceNow) < 600, "\(suite)")
        }
    }

    @Test func `each folder of scenarios is a suite`() throws {
        let desk = try Desk()
        for name in ["a/one.yaml", "a/two.yaml", "a/deep/three.yaml"] {
            try desk.write(Desk.green, to: name)
        }
        #expect(try desk.lab("run", ".", "--report", "out").code == 1)
        let tree = try Tree(desk.data(of: "out/junit.xml"))
        let suites = tree.elements.filter { $0.name == "testsuite" }.map(\.attributes)
        #expect(
            suites.map { [$0["name"], $0["tests"], $0["failures"]] } == [
                ["simulated.a.deep", "1", "0"], ["simulated.a", "2", "0"],
                ["simulated.scenarios", "2", "1"],
            ])
    }

    @Test(arguments: [
        (["run", "red.yaml"], ["out/red/report.html", "out/red/events.jsonl"]),
        (["crash", "red.yaml"], ["out/index.html", "out/crashes.json"]),
        (["chance", "--runs", "2", "--cells", "1000"], ["out/chance.json"]),
    ])
    func `a red case names its cause and its files, relative to the workspace`(
        words: [String], files: [String]
    ) throws {
        let desk = try Desk()
        let call = "cd deeper && \"$lab\" \(words.joined(separator: " ")) --report out"
        try desk.write(Desk.red, to: "deeper/red.yaml")
        let answer = try desk.shell(call, environment: ["WORKSPACE": desk.url.path])
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        let text = try desk.text(of: "deeper/out/junit.xml")
        let attached = text.split(separator: "\n").compactMap {
            $0.wholeMatch(of: /(?:<system-out>)?\[\[ATTACHMENT\|(.+)\]\]/).map { String($0.1) }
        }
        #expect(attached == files.map { "deeper/\($0)" }, "\(text)")
        for file in attached { #expect(desk.holds(file), "\(file)") }
        guard words[0] == "run" else { return }
        let failure = try #require(text.firstMatch(of: /<failure [^>]*>[^<]*/).map { $0.output })
        #expect(failure.contains("message=\"session 1 completes within 1 ms: expected "))
        #expect(failure.contains("; seen ") && failure.contains("; at "), "\(failure)")
        #expect(failure.contains(">deeper/red.yaml:12:5\n"), "\(failure)")
    }

    @Test func `the time of day is in no file that is compared`() throws {
        let desk = try Desk()
        #expect(try desk.lab("run", ".", "--report", "out").code == 1)
        let year = "\(Calendar(identifier: .iso8601).component(.year, from: Date()))-"
        #expect(try desk.text(of: "out/junit.xml").contains(year))
        for file in ["summary.json", "red/run.json", "green/events.jsonl"] {
            #expect(try !desk.text(of: "out/\(file)").contains(year), "\(file)")
        }
    }
}

/// The elements of a document, each with its parent and its suite.
private final class Tree: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var parent: String
        var suite: String?
        var attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private var path: [String] = []
    private var suite: String?

    init(_ data: Data) throws {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        let isWellFormed = parser.parse()
        try #require(isWellFormed, "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements.append(
            Element(
                name: name, parent: path.last ?? "", suite: suite, attributes: attributes))
        path.append(name)
        if name == "testsuite" { suite = attributes["name"] }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        path.removeLast()
        if name == "testsuite" { suite = nil }
    }
}
