import Foundation
import Reports
import Testing

@Suite struct SuiteIndexTests {
    @Test func `the red runs come first, each with the way to its report`() throws {
        let document = SuiteIndex.document(for: SampleRun.suite)
        #expect(document.contains("<h1>1 of 2 runs is red</h1>"))
        let red = try #require(document.range(of: "href=\"broken/report.html\""))
        let green = try #require(document.range(of: "href=\"good/report.html\""))
        #expect(red.lowerBound < green.lowerBound)
        #expect(document.contains("seen an append at 3000001 B"))
        #expect(!document.contains("<script>alert"))
    }

    @Test func `a suite without red says so`() {
        let suite = Suite(entries: [SampleRun.suite.entries[0]])
        #expect(SuiteIndex.document(for: suite).contains("✔ Green"))
    }

    @Test func `the summary counts, and knows no wall clock`() throws {
        let text = String(decoding: SuiteJSON.data(for: SampleRun.suite), as: UTF8.self)
        #expect(text.contains("\"green\" : 1,"))
        #expect(text.contains("\"red\" : 1,"))
        #expect(text.contains("\"sentAgain\" : 600000,"))
        #expect(!text.contains("wallSeconds"))
    }
}
