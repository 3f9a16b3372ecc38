import Quantities
import RunLog
import Testing

@testable import Reports

/// Two suites beside each other: what is slower, and what only looks like it.
@Suite struct PerformanceReportTests {
    private typealias Times = [(seed: UInt64, milliseconds: Int64?)]

    private static let before: Times = [(1, 1_000), (2, 2_000), (3, 3_000)]

    private static func report(
        _ before: Times, _ after: Times
    ) -> PerformanceReport {
        PerformanceReport(of: SampleSuite.suite(before), with: SampleSuite.suite(after))
    }

    @Test func `equal suites raise no alarm`() {
        let report = Self.report(Self.before, Self.before)
        #expect(report.cases.map(\.result) == [.equal] && report.cases[0].isSame)
        #expect(!report.cases[0].isSlower(than: 0))
    }

    @Test func `runs are paired by their seeds, not by their places`() throws {
        let report = Self.report(Self.before, [(3, 3_300), (1, 1_100), (2, 2_200)])
        let change = try #require(report.cases[0].row(of: .completion)?.change)
        #expect(report.cases[0].result == .slower)
        #expect(abs(change.low - 0.1) < 1e-9 && abs(change.high - 0.1) < 1e-9, "\(change)")
        #expect(report.cases[0].isSlower(than: 0.05) && !report.cases[0].isSlower(than: 0.15))
    }

    @Test func `changes in both directions are no difference`() {
        let report = Self.report(Self.before, [(1, 1_200), (2, 1_800), (3, 3_000)])
        #expect(report.cases.map(\.result) == [.equal])
    }

    @Test func `what takes less time is faster`() {
        let report = Self.report(Self.before, [(1, 900), (2, 1_900), (3, 2_900)])
        #expect(report.cases.map(\.result) == [.faster])
        #expect(report.cases[0].row(of: .goodput)?.finding == .better)
    }

    @Test func `a run that no longer completes is slower than any bound`() {
        let report = Self.report(Self.before, [(1, 1_000), (2, nil), (3, 3_000)])
        #expect(report.cases.map(\.result) == [.slower])
        #expect(report.cases[0].isSlower(than: 100))
        #expect(report.cases[0].complaint.contains("1 of 3 runs complete no longer"))
    }

    @Test func `runs that complete in neither suite are equal`() {
        let never: Times = [(1, nil), (2, nil)]
        #expect(Self.report(never, never).cases.map(\.result) == [.equal])
    }

    @Test func `a file may have a matrix in one suite alone, or another one in each`() {
        var left = SampleSuite.suite(Self.before)
        var right = left
        for variant in ["controller=bbr", "loss=1 %,controller=bbr"] {
            left.entries += SampleSuite.suite([(9, 1_000)]).entries.map { entry in
                var entry = entry
                entry.variant = variant
                return entry
            }
        }
        for (one, other) in [(left, right), (right, left)] {
            let report = PerformanceReport(of: one, with: other)
            #expect(report.matrices.map(\.count) == [1, 1])
            #expect(PerformancePage.document(for: report).contains("controller"))
        }
        right.entries = []
        #expect(!PerformancePage.document(for: PerformanceReport(of: right, with: left)).isEmpty)
    }

    @Test func `runs with other seeds cannot be compared`() {
        let report = Self.report(Self.before, [(4, 1_000)])
        #expect(report.cases.map(\.result) == [.unpaired] && !report.hasPairs)
        #expect(report.headline.hasSuffix("0 equal to A, 1 without a pair"))
    }

    @Test func `the slowest case comes first, and cases of one suite are counted apart`() {
        func suite(_ times: [(path: String, milliseconds: Int64)]) -> Suite {
            Suite(
                entries: times.flatMap {
                    SampleSuite.suite([(1, $0.milliseconds)], path: $0.path).entries
                })
        }
        var left = suite([("a", 100), ("b", 100), ("c", 100), ("gone", 100), ("same", 100)])
        left.program = ProgramVersion(number: "1.0", commit: "abc1234")
        let right = suite([("new", 1), ("a", 110), ("b", 200), ("c", 90), ("same", 100)])
        let report = PerformanceReport(of: left, with: right)
        #expect(report.cases.map(\.path) == ["b", "a", "gone", "c", "new", "same"])
        #expect(
            report.headline
                == "5 runs, 6 cases: 2 slower, 1 faster, 1 equal to abc1234, 1 only in A, "
                + "1 only in B")
    }

    @Test func `live runs are left out, because each differs`() {
        var suite = SampleSuite.suite(Self.before)
        for place in suite.entries.indices { suite.entries[place].world = .live }
        #expect(PerformanceReport(of: suite, with: suite).isEmpty)
    }

    @Test func `a suite alone has something to compare if a file has several runs`() {
        #expect(PerformanceReport(of: SampleSuite.suite([(1, 100)])).isEmpty)
        let report = PerformanceReport(of: SampleSuite.suite(Self.before))
        #expect(report.headline == "3 runs, 1 case of 1 file side by side")
    }
}
