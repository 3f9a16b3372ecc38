import Quantities

/// The progress of each session over time, as the app was told. Many sessions are drawn as their
/// sum.
enum ProgressSection {
    /// The largest number of sessions with a line each.
    private static let lineLimit = 8

    static func body(of model: ReportModel) -> Markup? {
        let sessions = model.series.progress
        guard !sessions.isEmpty else { return nil }
        let count = model.figures.sessions.count
        let total = count > lineLimit ? model.series.totalProgress : nil
        let lines = total.map { [line("all sessions together", $0)] } ?? sessions.map(line)
        let words = total.map { description(of: "all sessions", $0) } ?? description(of: sessions)
        let chart = LineChart(
            id: "progress-chart", title: "Progress over time", description: words, unit: .bytes,
            scale: TimeScale(length: model.duration), lines: lines)
        guard total != nil else { return chart.markup }
        return """
            \(chart.markup)
            <p class="note">The sum of \(count) sessions. The curves of the first \
            \(sessions.count) are in run.json, under <code>series</code>.</p>
            """
    }

    private static func line(for session: RunSeries.Progress) -> LineChart.Line {
        line("\(session.session)", session.points)
    }

    private static func line(
        _ name: String, _ progress: [RunSeries.Progress.Point]
    ) -> LineChart.Line {
        let points = progress.map { LineChart.Point(at: $0.at, value: Double($0.done.bytes)) }
        return LineChart.Line(name: name, points: points, outline: points)
    }

    private static func description(of sessions: [RunSeries.Progress]) -> String {
        sessions.map { description(of: "\($0.session)", $0.points) }.joined(separator: " ")
    }

    private static func description(
        of name: String, _ points: [RunSeries.Progress.Point]
    ) -> String {
        let last = points.last
        return "\(name) reached \(last?.done.rounded ?? "0 B")"
            + " at \(last?.at.description ?? "the start")."
    }
}
