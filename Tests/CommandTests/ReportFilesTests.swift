import Foundation
import FoundationXML
import Testing

/// What a run leaves behind for programs: JSON, JUnit, and an index that leads to every report.
@Suite struct ReportFilesTests {
    @Test func `--json prints the summary, with the digests that the runs have`() throws {
        let desk = try Desk()
        let answer = try desk.lab("run", ".", "--json", "--report", "out")
        let printed = try Summary(Data(answer.output.utf8))
        #expect(printed.green == 1 && printed.red == 1, "\(answer.call)")
        #expect(printed.runs.map(\.folder) == ["green", "red"])
        for run in printed.runs {
            let model = try JSONSerialization.jsonObject(
                with: desk.data(of: "out/\(run.folder)/run.json"))
            let digest = (model as? [String: Any])?["digest"] as? String
            #expect(run.digest == digest, "\(answer.call): \(run.folder)")
        }
        #expect(try desk.text(of: "out/summary.json") == answer.output)
    }

    @Test func `--digests prints a line a run, and writes nothing unless it is asked to`() throws {
        let desk = try Desk()
        let answer = try desk.lab("run", ".", "--digests")
        #expect(!desk.holds("Reports"))
        let words = answer.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(words.map(\.first) == ["green", "red"], "\(answer.output)")
        #expect(words.allSatisfy { $0.count == 2 && $0[1].count == 16 }, "\(answer.output)")
        let written = try desk.lab("run", ".", "--digests", "--report", "out")
        #expect(written.output == answer.output && desk.holds("out/green/run.json"))
    }

    @Test func `the events are JSON, line by line`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let lines = try desk.text(of: "out/green/events.jsonl").split(separator: "\n")
        #expect(lines.count > 20)
        for line in lines {
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(event?.count == 2 && event?["at"] is NSNumber, "\(line)")
        }
    }

    @Test func `junit.xml is well formed and counts as the summary does`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let report = try Elements(desk.data(of: "out/junit.xml"))
        let suite = try #require(report.all.first { $0.name == "testsuite" }?.attributes)
        #expect(suite["tests"] == "2" && suite["failures"] == "1" && suite["errors"] == "0")
        #expect(report.all.count { $0.name == "testcase" } == 2)
        #expect(report.all.count { $0.name == "failure" } == 1)
    }

    @Test func `the index leads to every report, whatever its scenario's file is called`() throws {
        let desk = try Desk()
        let names = ["50 % #1?.yaml", "größe & <b>.yaml", "a:b.yaml", #"quote"'s.yaml"#]
        for name in names { try desk.write(Desk.green, to: "odd names/\(name)") }
        let answer = try desk.lab("run", "odd names", "green.yaml", "--report", "out")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        let page = try Elements(desk.data(of: "out/index.html"), isPage: true)
        let links = page.all.compactMap { $0.name == "a" ? $0.attributes["href"] : nil }
        #expect(Set(links).count == names.count + 1, "\(links)")
        let base = desk.url.appending(path: "out/index.html")
        for link in links {
            let target = try #require(URL(string: link, relativeTo: base))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
        }
    }

    private struct Summary: Decodable {
        var green: Int
        var red: Int
        var runs: [Run]

        struct Run: Decodable {
            var folder: String
            var digest: String
        }

        init(_ data: Data) throws { self = try JSONDecoder().decode(Summary.self, from: data) }
    }
}

/// The elements of a document in their order.
private final class Elements: NSObject, XMLParserDelegate {
    private(set) var all: [(name: String, attributes: [String: String])] = []

    /// The style sheet and the scripts of a page are not XML.
    init(_ data: Data, isPage: Bool = false) throws {
        super.init()
        let text = String(decoding: data, as: UTF8.self)
        let plain =
            isPage
            ? text.replacing(/<(script|style)[^>]*>[\s\S]*?<\/(script|style)>/, with: "") : text
        let parser = XMLParser(data: Data(plain.utf8))
        parser.delegate = self
        let isWellFormed = parser.parse()
        try #require(isWellFormed, "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) { all.append((name, attributes)) }
}
