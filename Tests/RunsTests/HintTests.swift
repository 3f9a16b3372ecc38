import Quantities
import Reports
import Scenario
import Testing

@testable import Runs

/// What is no failure, but hardly what somebody meant, is said beside what came of a run.
@Suite struct HintTests {
    private static func text(_ more: String) -> String {
        """
        name: a hint
        why: somebody may not have meant what is written here
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 1 MB }
        queue: [{ upload: a.mov, to: in/a.mov }]
        \(more)
        """
    }

    private static func hints(_ timeline: [String]) throws -> [String]? {
        let entries = timeline.map { "  - \($0)" }.joined(separator: "\n")
        let scenario = try Scenario.read(text: text("timeline:\n\(entries)"), path: "x.yaml")
        return try SimulatedRun(scenario).play(into: nil).hints
    }

    @Test func `an entry that disturbs nothing any more is named, with the end that it missed`()
        throws
    {
        let hints = try Self.hints(["500 ms: app killed", "1 s: app launched", "30 s: app killed"])
        let hint = try #require(hints?.first)
        #expect(
            hint.hasPrefix("“At 30 s the app is killed.” comes after the end of the last session"))
        #expect(hints?.count == 1)
        #expect(try Self.hints(["30 s: a.mov edited"])?.count == 1)
    }

    @Test(arguments: [
        ["500 ms: app killed", "1 s: app launched"],  // in the middle
        ["500 ms: app killed"],  // the session never ends
        ["30 s: healing"],  // it disturbs nothing
        ["when session 1 completes: app killed"],  // it is meant to be late
        ["about every 20 s: app killed"],  // nobody knows when
    ]) func `what may well be meant is left alone`(timeline: [String]) throws {
        #expect(try Self.hints(timeline) == nil)
    }

    @Test func `a hint is said on the terminal, in the report and in the index`() throws {
        let run = try PlayedRun(
            Scenario.read(text: Self.text("timeline: [30 s: app killed]"), path: "x.yaml"))
        let report = String(decoding: try run.data(of: "report.html"), as: UTF8.self)
        #expect(report.contains(">Hints</h2>"))
        #expect(report.contains("“At 30 s the app is killed.” comes after"))
        let entry = SuiteEntry(run.model, folder: "x")
        let lines = TerminalSummary(isColoured: false).text(for: entry).split(separator: "\n")
        #expect(lines.last?.hasPrefix("    hint       “At 30 s the app is killed.”") ?? false)
        #expect(SuiteIndex.document(for: Suite(entries: [entry])).contains("hint: “At 30 s"))
    }

    private static func suite(_ matrix: String, seeds: [UInt64]? = nil) throws -> Suite {
        let cases = try Scenario.cases(Array(text(matrix).utf8), path: "m.yaml")
        return try SuiteRun(SuiteCase.all(of: cases, seeds: seeds), folder: nil).play()
    }

    @Test func `a matrix whose cases are all one run says so`() throws {
        let matrix = "for each: { os: [ios-16, ios-17, ios-18] }\ndevice: { os: '${os}' }"
        let suite = try Self.suite(matrix, seeds: [1, 2])
        #expect(Set(suite.entries.map(\.digest)).count == 6)
        let hint =
            "all 3 cases of m.yaml are the same run, event by event: their differences have no "
            + "effect"
        #expect(suite.hints == [hint, Self.seedHint(2)])
        let lines = TerminalSummary(isColoured: false).total(of: suite).split(separator: "\n")
        #expect(lines.first == "    hint       \(hint)" && lines.last == "6 runs: ✔ all green")
        #expect(SuiteIndex.document(for: suite).contains(hint))
    }

    @Test func `cases in which something else happens are left alone`() throws {
        let matrix =
            "for each: { when: [200 ms, 300 ms] }\ndevice: { os: ios-17 }\n"
            + "timeline: [{ '${when}': app to background }]"
        #expect(try Self.suite(matrix).hints == [])
    }

    @Test func `one case alone is no matrix`() throws {
        let matrix = "for each: { os: [ios-17] }\ndevice: { os: '${os}' }"
        #expect(try Self.suite(matrix, seeds: [1]).hints == [])
    }

    private static func seedHint(_ count: Int) -> String {
        "all \(count) seeds of m.yaml are the same run: chance plays no part in it; one seed is "
            + "enough"
    }

    @Test(arguments: [
        "tags: [sure]", "for each: { os: [ios-17] }\ndevice: { os: '${os}' }",
        // Cases may differ as long as their seeds do not.
        "for each: { when: [200 ms, 300 ms] }\ndevice: { os: ios-17 }\n"
            + "timeline: [{ '${when}': app to background }]",
    ])
    func `seeds that are all one run say so`(more: String) throws {
        let suite = try Self.suite(more, seeds: [1, 2, 3])
        #expect(Set(suite.entries.map(\.digest)).count == suite.entries.count)
        #expect(suite.hints == [Self.seedHint(3)])
    }

    @Test func `seeds that lose other packets are left alone, and so is a single seed`() throws {
        let lossy = Self.text("").replacing("delay: 20 ms }", with: "delay: 20 ms, loss: 1 % }")
        let cases = try Scenario.cases(Array(lossy.utf8), path: "m.yaml")
        let suite = try SuiteRun(SuiteCase.all(of: cases, seeds: [1, 2, 3]), folder: nil).play()
        #expect(suite.hints == [] && suite.entries.allSatisfy { $0.course != nil })
        #expect(try Self.suite("", seeds: [1]).hints == [])
    }
}
