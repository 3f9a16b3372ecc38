import Quantities

/// The progress of each session over time, as the app was told. Many sessions are drawn as their
/// sum.
enum ProgressSection {
    /// The largest number of sessions with a line each.
    private static let lineLimit = 8
    /// The number of sessions with a line for their floor.
    private static let floors = 3

    static func body(of model: ReportModel) -> Markup? {
        let sessions = model.series.progress
        guard !sessions.isEmpty else { return nil }
        let count = model.figures.sessions.count
        let total = count > lineLimit ? model.series.totalProgress : nil
        let lines =
            total.map { [line("all sessions together", $0)] }
            ?? sessions.map(line) + floors(of: model)
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

    /// Returns where the first sessions would be at the rate of the fastest link.
    private static func floors(of model: ReportModel) -> [LineChart.Line] {
        model.series.progress.prefix(floors).enumerated().compactMap { order, session in
            guard let row = model.figures.sessions.first(where: { $0.session == session.session }),
                let from = row.firstRunningAt, let floor = row.floor, floor > .zero
            else { return nil }
            let shown = max(.zero, min(floor, .start + model.duration - from))
            let done = Double(row.payload.bytes) * shown.seconds / floor.seconds
            let points = [
                LineChart.Point(at: from, value: 0), LineChart.Point(at: from + shown, value: done),
            ]
            return LineChart.Line(
                name: "\(session.session), no faster than", points: points, outline: points,
                look: .slope, colour: order)
        }
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
