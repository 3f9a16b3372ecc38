import Foundation
import FoundationXML
import Quantities
import RunLog
import Testing

@testable import Reports

@Suite struct HTMLReportTests {
    @Test func `a report is well formed and links only to what is there`() throws {
        for model in [SampleRun().model(), SampleRun.broken.model(verdicts: SampleRun.fallen)] {
            let page = try Page(HTMLReport.document(for: model, charts: nil))
            #expect(page.ids.count == Set(page.ids).count, "an id stands twice")
            let missing = page.anchors.filter { !page.ids.contains($0) }
            #expect(missing.isEmpty, "links without an end")
            #expect(page.headings.first == model.beginning.scenario)
        }
    }

    @Test func `it says green or red at once, and why`() throws {
        let green = try Page(HTMLReport.document(for: SampleRun().model(), charts: nil))
        #expect(green.text.contains("✔ Green"))
        #expect(green.text.contains("8 rules held; 1 had nothing to judge"))
        let model = SampleRun().model(verdicts: SampleRun.fallen)
        let red = try Page(HTMLReport.document(for: model, charts: nil))
        #expect(red.text.contains("✘ Red"))
        #expect(red.text.contains("S3 failed"))
        #expect(red.text.contains("an append at 3000001 B"))
        #expect(red.text.contains("./lab run Scenarios/queue/kill.yaml --seed 7"))
    }

    @Test func `how long it took is told apart from the moment, as limits count from the start`()
        throws
    {
        let document = HTMLReport.document(for: SampleRun().model(), charts: nil)
        let end = try #require(SampleRun().model().figures.sessions.last?.endedAt)
        #expect(document.contains("<dt>Completed in (from activation)</dt>"))
        #expect(document.contains("<dt>Completed at</dt><dd>\(end.sinceStart.rounded)</dd>"))
        #expect(document.contains("“completes within”"))
    }

    @Test func `every section has its heading`() throws {
        let page = try Page(
            HTMLReport.document(for: SampleRun.broken.model(), charts: nil))
        #expect(
            Array(page.headings.dropFirst()) == [
                "Timeline", "Throughput over time", "Progress over time", "Links over time",
                "Flows over time", "Verdicts", "What did not apply", "Figures", "Packets",
                "Events", "Scenario", "How to reproduce",
            ])
    }

    @Test func `nothing that a scenario says can become a tag`() throws {
        let document = HTMLReport.document(
            for: SampleRun.broken.model(verdicts: SampleRun.fallen), charts: nil)
        #expect(!document.contains("<script>alert"))
        let page = try Page(document)
        #expect(page.headings.first == SampleRun.broken.name)
        #expect(page.text.contains(SampleRun.broken.text.trimmingCharacters(in: .newlines)))
    }

    @Test func `a link's name cannot end the chart's data`() throws {
        let model = SampleRun(linkName: "up</script><b>\"&'").model()
        let document = HTMLReport.document(for: model, charts: nil)
        let chunks = document.components(separatedBy: #"id="throughput-chart-data">"#)
        let data = try #require(chunks.last?.components(separatedBy: "</script>").first)
        let chart = try JSONDecoder().decode(Chart.self, from: Data(data.utf8))
        #expect(chart.labels.first == "up</script><b>\"&', delivered")
        #expect(!chart.rows.isEmpty && chart.rows.allSatisfy { $0.count == chart.labels.count + 1 })
    }

    @Test func `without the chart library a report stands, and says what is missing`() throws {
        let without = try Page(HTMLReport.document(for: SampleRun().model(), charts: nil))
        #expect(without.text.contains("apt-get install libjs-dygraphs"))
        let library = ChartLibrary(script: "var end = '</script>';", style: ".x { color: red; }")
        let with = HTMLReport.document(for: SampleRun().model(), charts: library)
        #expect(with.contains(#"<script>var end = '<\/script>';</script>"#))
        #expect(!with.contains("libjs-dygraphs"))
    }

    private struct Chart: Decodable {
        var labels: [String]
        var rows: [[Double?]]
    }
}

/// A page as an XML parser sees it, without its scripts and style sheet.
private final class Page: NSObject, XMLParserDelegate {
    private(set) var ids: [String] = []
    private(set) var anchors: [String] = []
    private(set) var headings: [String] = []
    private(set) var text = ""
    private var isInHeading = false

    init(_ document: String) throws {
        super.init()
        let plain = document.replacing(/<(script|style)[^>]*>[\s\S]*?<\/(script|style)>/, with: "")
        let parser = XMLParser(data: Data(plain.utf8))
        parser.delegate = self
        let isWellFormed = parser.parse()
        try #require(isWellFormed, "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        if let id = attributes["id"] { ids.append(id) }
        if let link = attributes["href"], link.hasPrefix("#") {
            anchors.append(String(link.dropFirst()))
        }
        let isSectionHeading = name == "h2" && attributes["id"] != nil
        guard name == "h1" || isSectionHeading else { return }
        isInHeading = true
        headings.append("")
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if name == "h1" || name == "h2" { isInHeading = false }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
        if isInHeading { headings[headings.count - 1] += string }
    }
}
