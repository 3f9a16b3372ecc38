import Quantities
import RunLog
import Testing

@testable import Reports

/// What a run of a suite keeps for comparisons.
@Suite struct PerformanceFiguresTests {
    private static let figures = SuiteEntry(SampleRun().model(), folder: "a").performance

    @Test func `the floor is the time of the payload alone at the rate of the link`() {
        // 8 MB at 10 Mbit/s.
        #expect(Self.figures?.floor == .milliseconds(6_400))
    }

    @Test func `without interfaces the packets of the link are counted, both ways`() {
        let links = SampleRun().model().figures.links
        let bytes = links[0].count.sent.bytes + links[1].count.delivered.bytes
        #expect(bytes > 0)
        #expect(Self.figures?.interfaces.map(\.name) == ["the link"])
        #expect(Self.figures?.interfaces.map(\.bytes.bytes) == [bytes])
    }

    @Test func `queueing is what packets take beyond the shortest delay`() throws {
        let transit = try #require(SampleRun().model().figures.links[0].transit)
        let queueing = try #require(Self.figures?.queueing)
        #expect(queueing.median == max(.zero, transit.median - .milliseconds(20)))
        #expect(queueing.percentile95 == max(.zero, transit.percentile95 - .milliseconds(20)))
    }

    @Test func `two items at once with 3 and 1 Mbit/s have Jain's index 0.8`() {
        var model = SampleRun().model()
        model.figures.sessions.append(model.figures.sessions[0])
        for (place, rate) in [3_000_000, 1_000_000].enumerated() {
            model.figures.sessions[place].goodput = Bitrate(bitsPerSecond: UInt64(rate))
        }
        let fairness = PerformanceFigures(model).fairness
        #expect(fairness == 0.8)
        #expect(Self.figures?.fairness == nil)
    }

    @Test func `a summary of an older build can be read`() throws {
        var suite = SampleRun.suite
        for place in suite.entries.indices { suite.entries[place].performance = nil }
        let read = try SuiteJSON.suite(from: SuiteJSON.data(for: suite))
        #expect(read.entries.map(\.performance) == [nil, nil])
    }
}
