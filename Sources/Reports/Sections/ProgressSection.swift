import Quantities

/// The progress of each session over time, as the app was told.
enum ProgressSection {
    static func body(of model: ReportModel) -> Markup? {
        let sessions = model.series.progress
        guard !sessions.isEmpty else { return nil }
        return LineChart(
            id: "progress-chart", title: "Progress over time",
            description: description(of: sessions), unit: .bytes,
            scale: TimeScale(length: model.duration), lines: sessions.map(line)
        ).markup
    }

    private static func line(for session: RunSeries.Progress) -> LineChart.Line {
        var points: [LineChart.Point] = []
        for point in session.points {
            // A step back happens at a single moment: until then the old offset was valid.
            if let last = points.last, Double(point.done.bytes) < last.value {
                points.append(.init(at: point.at, value: last.value))
            }
            points.append(.init(at: point.at, value: Double(point.done.bytes)))
        }
        return LineChart.Line(name: "\(session.session)", points: points, outline: points)
    }

    private static func description(of sessions: [RunSeries.Progress]) -> String {
        sessions.map { session in
            let last = session.points.last
            return "\(session.session) reached \(last?.done.rounded ?? "0 B")"
                + " at \(last?.at.description ?? "the start")."
        }.joined(separator: " ")
    }
}
