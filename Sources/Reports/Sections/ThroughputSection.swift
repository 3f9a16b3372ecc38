import Quantities

/// The throughput of each link over time.
enum ThroughputSection {
    /// The largest number of steps in a static picture.
    private static let stillSteps = 160

    static func body(of model: ReportModel) -> Markup? {
        let series = model.series.throughput
        guard !series.isEmpty else {
            return "<p>There were no packets, so there is nothing to draw.</p>"
        }
        let lines = series.map { line(for: $0, end: model.duration) }
        let greatest = lines.flatMap { $0.outline.map(\.value) }.max() ?? 0
        let chart = LineChart(
            id: "throughput-chart", title: "Throughput over time",
            description: description(of: series), unit: .bitsPerSecond,
            scale: TimeScale(length: model.duration), lines: lines,
            references: references(for: series, in: model.figures, greatest: greatest))
        return """
            \(chart.markup)
            <p class="note">Bytes of whole packets, headers included, in steps of \
            \(series.map(\.bucket).max()?.rounded ?? "").\(noteOnOthers(series))</p>
            """
    }

    private static func noteOnOthers(_ series: [RunSeries.Throughput]) -> String {
        guard series.contains(where: { $0.source == .ofOthers }) else { return "" }
        return " Other traffic on a link has a line of its own, apart from the run's traffic."
    }

    private static func line(for series: RunSeries.Throughput, end: TimeSpan) -> LineChart.Line {
        let name = "\(series.name), \(series.source.rawValue)"
        let width = series.bucket
        // The picture includes the silence after the last packet.
        let count = Int(end.nanoseconds / width.nanoseconds) + 1
        let bytes = series.bytes + Array(repeating: 0, count: max(0, count - series.bytes.count))
        let points = bytes.enumerated().map { order, bytes in
            LineChart.Point(
                at: Instant.start + width * Int64(order),
                value: Double(bytes) * 8 / width.seconds)
        }
        let fold = (bytes.count + stillSteps - 1) / stillSteps
        var outline: [LineChart.Point] = []
        for begin in stride(from: 0, to: bytes.count, by: fold) {
            let part = bytes[begin..<min(begin + fold, bytes.count)]
            let value = Double(part.reduce(0, +)) * 8 / (width.seconds * Double(part.count))
            let from = Instant.start + width * Int64(begin)
            outline.append(.init(at: from, value: value))
            outline.append(.init(at: from + width * Int64(part.count), value: value))
        }
        return LineChart.Line(name: name, points: points, outline: outline)
    }

    /// Returns the links' rates, and what a bulk flow could reach by theory, if they are close
    /// enough to the throughput.
    private static func references(
        for series: [RunSeries.Throughput], in figures: Figures, greatest: Double
    ) -> [LineChart.Reference] {
        let rates = series.compactMap { one in
            one.rate.map {
                LineChart.Reference(
                    name: "configured, \($0)", value: Double($0.bitsPerSecond))
            }
        }
        let theories = series.compactMap { one in
            one.source != .delivered
                ? nil
                : LinkTheory(of: one.link, in: figures).map {
                    LineChart.Reference(
                        name: "\(one.name), \($0.name)", value: $0.throughput, isTheory: true)
                }
        }
        return (rates + theories).worthDrawing(beside: greatest)
    }

    private static func description(of series: [RunSeries.Throughput]) -> String {
        series.map { one in
            let total = ByteCount(one.bytes.reduce(0, +))
            let most = one.bytes.max().flatMap { Bitrate(ByteCount($0), in: one.bucket) }
            return "\(one.name): \(total.rounded) \(one.source.rawValue), "
                + "at most \(most?.rounded ?? "nothing")."
        }.joined(separator: " ")
    }
}
