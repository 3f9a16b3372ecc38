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
        #expect(document.contains("<dd>an append at 3000001 B</dd>"))
        #expect(document.contains("“Completed in” is counted from the first activation"))
        #expect(!document.contains("<script>alert"))
    }

    @Test func `a suite without red says so`() {
        let suite = Suite(entries: [SampleRun.suite.entries[0]])
        #expect(SuiteIndex.document(for: suite).contains("✔ Green"))
    }

    @Test func `what no run has reached is red, what one has is not`() throws {
        var suite = Suite(entries: [SampleRun.suite.entries[0], SampleRun.suite.entries[0]])
        func occasion(_ isReached: Bool) -> [Occasion] {
            [Occasion(words: "a session resumes", place: "suite.yaml:2:5", isReached: isReached)]
        }
        suite.entries[0].sometimes = occasion(false)
        suite.entries[1].sometimes = occasion(true)
        #expect(suite.isGreen)
        #expect(suite.unreached.isEmpty)
        suite.entries[1].sometimes = occasion(false)
        #expect(!suite.isGreen)
        #expect(suite.unreached == occasion(false))
        let page = SuiteIndex.document(for: suite)
        #expect(page.contains("Every run is green, but 1 thing was never reached"))
        #expect(page.contains("suite.yaml:2:5"))
        let lines = TerminalSummary(isColoured: false).total(of: suite)
        #expect(
            lines == "    “a session resumes” was reached in no run; required in suite.yaml:2:5\n"
                + "2 runs: 2 green, ✘ 1 never reached")
        let cases = SampleRun.junit(of: suite)
        #expect(cases.contains("tests=\"3\" failures=\"1\""))
        #expect(cases.contains("name=\"sometimes: a session resumes\""))
        let summary = String(decoding: SuiteJSON.data(for: suite), as: UTF8.self)
        #expect(summary.contains("\"unreached\" : ["))
    }

    @Test func `the summary counts, and knows no wall clock`() throws {
        let text = String(decoding: SuiteJSON.data(for: SampleRun.suite), as: UTF8.self)
        #expect(text.contains("\"green\" : 1,"))
        #expect(text.contains("\"red\" : 1,"))
        #expect(text.contains("\"sentAgain\" : 600000,"))
        #expect(!text.contains("wallSeconds"))
    }
}
