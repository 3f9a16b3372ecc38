import Foundation
import FoundationXML
import Quantities
import Testing

@testable import Reports

/// The page, the JSON and the Markdown of a comparison.
@Suite struct PerformanceFormsTests {
    private static let report: PerformanceReport = {
        func suite(_ factor: Int64) -> Suite {
            let names = ["controller=cubic,profile=lte", "controller=bbr,profile=lte"]
            let times = (1...5).map { seed in
                (seed: UInt64(seed), milliseconds: Int64?.some(Int64(10_000 + 100 * seed) * factor))
            }
            return Suite(
                entries: names.flatMap { SampleSuite.suite(times, variant: $0).entries })
        }
        return PerformanceReport(of: suite(1), with: suite(2))
    }()

    @Test func `the page tells everything without a script`() throws {
        let page = PerformancePage.document(for: Self.report)
        #expect(page.contains("<h1>10 runs, 2 cases: 2 slower, 0 faster, 0 equal to A</h1>"))
        #expect(page.contains("<td data-label=\"Change\"><span>+100 %</span></td>"))
        for heading in ["Changes", "Matrices", "Time to completion", "Goodput against delay"] {
            #expect(page.contains("<h2>\(heading)</h2>"), "\(heading)")
        }
        #expect(!page.contains("<script"))
        #expect(XMLParser(data: Data(page.utf8)).parse())
    }

    @Test func `each drawing has a text alternative with its medians`() {
        let page = PerformancePage.document(for: Self.report)
        let drawings = page.components(separatedBy: "<svg class=\"plot\"").dropFirst()
        #expect(drawings.count == 3)
        #expect(drawings.allSatisfy { $0.hasPrefix(" role=\"img\"") })
        #expect(page.contains("A: median 10.3 s; B: median 20.6 s\""))
    }

    @Test func `a cell of a grid has its share as a number`() {
        // 8 MB at 10 Mbit/s take 6.4 s at least, which is 31 % of 20.6 s.
        let page = PerformancePage.document(for: Self.report)
        #expect(page.contains("<strong>31 %</strong><small>20.6 s</small>"))
    }

    @Test func `the JSON has each figure with its change and finding`() throws {
        let data = PerformanceJSON.data(for: Self.report)
        let form = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let cases = try #require(form["cases"] as? [[String: Any]])
        #expect(cases.map { $0["result"] as? String } == ["slower", "slower"])
        let figures = try #require(cases[0]["figures"] as? [[String: Any]])
        #expect(figures[0]["figure"] as? String == "completionNanoseconds")
        #expect(figures[0]["finding"] as? String == "worse")
    }

    @Test func `the Markdown has the worst cases, at most 50, and says what is left out`() {
        func suite(_ extra: Int64) -> Suite {
            Suite(
                entries: (1...60).flatMap {
                    SampleSuite.suite([(1, 1_000 + extra * $0)], path: "\($0)|.yaml").entries
                })
        }
        let report = PerformanceReport(of: suite(0), with: suite(10))
        let lines = PerformanceMarkdown.text(for: report).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("| ") }.count == 51)
        #expect(lines[3].contains("| 1 s | 1.6 s | +60 % | slower"), "\(lines[3])")
        #expect(lines.last == "10 more cases are in performance.json.")
        let same = PerformanceMarkdown.text(for: PerformanceReport(of: suite(0), with: suite(0)))
        #expect(same.hasSuffix("60 cases are without any difference, and not listed.\n"))
    }
}
