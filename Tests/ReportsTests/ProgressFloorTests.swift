import Quantities
import Testing

@testable import Reports

/// How fast a session could be, beside its progress.
@Suite struct ProgressFloorTests {
    @Test func `the progress has a slope from the first activation to the floor`() throws {
        let model = SampleRun().model()
        let session = try #require(model.figures.sessions.first)
        let page = HTMLReport.document(for: model, charts: nil)
        let data = try ChartData("progress-chart", in: page)
        let line = try #require(data.labels.firstIndex(of: "session 1, no faster than"))
        let points = data.rows.filter { $0[line + 1] != nil }.map { [$0[0], $0[line + 1]] }
        let begin = try #require(session.firstRunningAt)
        let end = begin + (try #require(session.floor))
        #expect(points == [[begin.seconds, 0], [end.seconds, 8_000_000]])
        #expect(data.looks[line] == "slope")
    }

    @Test func `the slope of a session that never gets there ends with the run`() throws {
        var model = SampleRun().model()
        model.duration = .milliseconds(3_205)
        let page = HTMLReport.document(for: model, charts: nil)
        let data = try ChartData("progress-chart", in: page)
        let line = try #require(data.labels.firstIndex(of: "session 1, no faster than"))
        // 8 MB take 6.4 s at 10 Mbit/s, and the session begins after 5 ms.
        #expect(data.rows.compactMap { $0[line + 1] } == [0, 4_000_000])
    }
}
