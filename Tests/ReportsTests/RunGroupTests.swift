import Foundation
import Quantities
import Reports
import Testing

/// Many runs on the page of their suite: a row for each file, with a dot for each seed.
@Suite struct RunGroupTests {
    private static func seeds(_ count: Int, red: Set<Int> = []) -> [SuiteEntry] {
        let samples = SampleRun.suite.entries
        return (1...count).map { number in
            var entry = samples[red.contains(number) ? 1 : 0]
            entry.seed = UInt64(number)
            entry.folder = "kill/seed-\(number)"
            entry.completion = .milliseconds(Int64(1_000 + number * 10))
            return entry
        }
    }

    @Test func `thirty seeds of a file are one row with their median and a dot each`() {
        let page = SuiteIndex.document(for: Suite(entries: Self.seeds(30)))
        #expect(page.components(separatedBy: "<tbody data-s").count == 2)
        #expect(page.contains("<small>30 runs</small>"))
        // The median of 1010, 1020 … 1300 ms.
        #expect(page.contains("</th><td>1.15 s</td>"))
        #expect(page.contains("title=\"seed 30: 1.3 s\" href=\"kill/seed-30/report.html\""))
        #expect(page.contains("<span>1.01 s</span>") && page.contains("<span>1.3 s</span>"))
    }

    @Test func `a file whose seeds are red in part is red, and its first red seed is in words`() {
        let page = SuiteIndex.document(for: Suite(entries: Self.seeds(30, red: [4, 9, 10])))
        #expect(page.contains("<tbody data-s=\"red\""))
        #expect(page.contains("<h3>S3: each append begins where the server said it would "))
        #expect(page.contains("<span class=\"count\">3 runs</span>"))
        #expect(page.contains("2 more of this file:"))
        #expect(page.components(separatedBy: "<dt>Expected</dt>").count == 2)
        #expect(page.contains("<a class=\"red\""))
    }

    @Test func `the cases of a matrix have rows of their own`() {
        var entries = Self.seeds(4)
        entries[0].variant = "loss=0"
        entries[1].variant = "loss=0"
        entries[2].variant = "loss=2"
        entries[3].variant = "loss=2"
        let page = SuiteIndex.document(for: Suite(entries: entries))
        #expect(page.contains("<summary>2 cases</summary>"))
        #expect(page.contains("loss=0, 2 seeds") && page.contains("loss=2, 2 seeds"))
    }

    @Test func `red dots are drawn before green ones are left out`() {
        let page = SuiteIndex.document(for: Suite(entries: Self.seeds(1_200, red: [1_200])))
        #expect(page.contains("<p class=\"why\">200 more green runs are not drawn.</p>"))
        #expect(page.contains("title=\"seed 1200: 13 s\""))
        #expect(page.contains("1150 more runs are in summary.json."))
    }

    @Test func `a page of a thousand scenarios stays below 600 kB`() {
        var entries = Self.seeds(1_000)
        for place in entries.indices {
            entries[place].path = "Scenarios/queue/a-scenario-with-a-long-name-\(place).yaml"
            entries[place].about = ScenarioAbout(
                why: "an upload must go on where the server is after a restart of the phone",
                tags: ["queue"])
        }
        let page = SuiteIndex.document(for: Suite(entries: entries))
        #expect(page.utf8.count < 600_000, "\(page.utf8.count) bytes")
        #expect(page.contains("a-scenario-with-a-long-name-999.yaml"))
    }

    @Test func `the most frequent failure comes first, and the slowest runs are named`() throws {
        var entries = Self.seeds(8, red: [1, 5, 6])
        entries[0].breaches[0].rule = "S9"
        entries[3].wallSeconds = 60
        let page = SuiteIndex.document(for: Suite(entries: entries))
        let often = try #require(page.range(of: "<h3>S3:"))
        let seldom = try #require(page.range(of: "<h3>S9:"))
        #expect(often.lowerBound < seldom.lowerBound)
        let slowest = try #require(page.range(of: "<h2>Slowest runs</h2>"))
        #expect(page[slowest.upperBound...].prefix(600).contains("seed-4/report.html"))
    }

    @Test func `long spans are told in two units`() {
        #expect(TimeSpan.seconds(599).rounded == "599 s")
        #expect(TimeSpan.seconds(11_520).rounded == "3 h 12 min")
        #expect(TimeSpan.seconds(-11_520).rounded == "-3 h 12 min")
        #expect(TimeSpan.seconds(623).rounded == "10 min 23 s")
        #expect(TimeSpan.seconds(7_200).rounded == "2 h")
        #expect(TimeSpan.seconds(86_399 * 3).rounded == "3 d")
    }
}
