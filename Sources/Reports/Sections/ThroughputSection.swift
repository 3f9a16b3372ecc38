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
            references: references(for: series, greatest: greatest))
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

    /// Returns the links' rates as references, if they are close enough to the throughput.
    private static func references(
        for series: [RunSeries.Throughput], greatest: Double
    ) -> [LineChart.Reference] {
        var references: [LineChart.Reference] = []
        for one in series {
            guard let rate = one.rate else { continue }
            let value = Double(rate.bitsPerSecond)
            guard value < greatest * 2.5, !references.contains(where: { $0.value == value })
            else { continue }
            references.append(.init(name: "configured, \(rate)", value: value))
        }
        return references
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
