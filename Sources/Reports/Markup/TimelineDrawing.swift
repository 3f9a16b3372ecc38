import Quantities

/// Lanes over time as SVG. The time axis uses percentages, and everything else uses pixels: the
/// drawing follows the width of the screen, and its text keeps its size.
struct TimelineDrawing {
    private let timeline: Timeline
    private let scale: TimeScale
    private let calloutRows: [Int]

    private static let calloutHeight = 24
    private static let rowHeight = 20
    private static let titleHeight = 20
    private static let laneGap = 12
    private static let axisHeight = 24

    init(_ timeline: Timeline, length: TimeSpan) {
        self.timeline = timeline
        scale = TimeScale(length: length)
        calloutRows = Self.calloutRows(for: timeline.moments, scale: scale)
    }

    var markup: Markup {
        let top = Self.calloutHeight * ((calloutRows.max() ?? -1) + 1) + 6
        var y = top
        var lanes: [Markup] = []
        for lane in timeline.lanes {
            let rows = Self.rows(for: lane.spans)
            lanes.append(drawn(lane, rows: rows, y: y))
            y += Self.titleHeight + Self.rowHeight * ((rows.max() ?? 0) + 1) + Self.laneGap
        }
        let height = y + Self.axisHeight
        return """
            <svg class="timeline" role="img" aria-labelledby="timeline-name timeline-words" \
            width="100%" height="\(height)">
            <title id="timeline-name">Timeline of the run</title>
            <desc id="timeline-words">\(description)</desc>
            <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><rect width="6" height="6" class="hatch-ground" />\
            <rect width="2" height="6" class="hatch-line" /></pattern></defs>
            \(scale.axis(top: top, bottom: y).map { "\($0)\n" as Markup })
            \(calloutLines(bottom: y))
            \(lanes)
            \(callouts)
            </svg>
            """
    }

    private var description: String {
        let lanes = timeline.lanes.map { lane in
            let spans = lane.spans.prefix(12).map {
                "\($0.state.words) from \($0.from) to \($0.to)"
            }
            return "\(lane.title): \(spans.joined(separator: ", "))."
        }
        return lanes.joined(separator: " ")
    }

    private func drawn(_ lane: Timeline.Lane, rows: [Int], y: Int) -> Markup {
        let spans = zip(lane.spans, rows).map { span, row in
            drawn(span, y: y + Self.titleHeight + Self.rowHeight * row)
        }
        return """
            <text class="lane" x="0" y="\(y + 13)">\(lane.title)</text>
            \(spans)
            """
    }

    private func drawn(_ span: Timeline.Span, y: Int) -> Markup {
        let x = scale.percent(span.from)
        let share = scale.share(of: span.to) - scale.share(of: span.from)
        let width = TimeScale.percent(share)
        let height = Self.rowHeight - 3
        let words = "\(span.words), \(span.state.words), \(span.from) to \(span.to)"
        return """
            <rect class="span \(span.state.rawValue)" x="\(x)" y="\(y)" width="\(width)" \
            height="\(height)" rx="2"><title>\(words)</title></rect>\
            \(label(of: span, share: share, x: x, y: y, width: width, height: height))

            """
    }

    /// Returns the label of a span if there is room: on every screen, only on a wide one, or never.
    private func label(
        of span: Timeline.Span, share: Double, x: String, y: Int, width: String, height: Int
    ) -> Markup {
        let length = Double(span.words.count) * 6.5 + 12
        guard share * 840 > length else { return .nothing }
        let screens: Markup = share * 330 > length ? "all" : "wide"
        return """
            <svg class="inside \(screens)" x="\(x)" y="\(y)" width="\(width)" height="\(height)" \
            aria-hidden="true"><text class="label \(span.state.rawValue)" x="6" y="12.5">\
            \(span.words)</text></svg>
            """
    }

    /// Draws the lines of the callouts behind the lanes, so that they do not cross labels.
    private func calloutLines(bottom: Int) -> [Markup] {
        zip(timeline.moments, calloutRows).map { moment, row in
            let x = scale.percent(moment.at)
            let top = Self.calloutHeight * row + 11
            return """
                <line class="course" x1="\(x)" x2="\(x)" y1="\(top)" y2="\(bottom)" />

                """
        }
    }

    private var callouts: [Markup] {
        zip(timeline.moments, calloutRows).enumerated().map { order, placed in
            let (moment, row) = placed
            let x = scale.percent(moment.at)
            let middle = Self.calloutHeight * row + 11
            return """
                <g class="callout \(moment.kind.rawValue)"><title>\(moment.at.told): \
                \(moment.words)</title>\
                <circle cx="\(x)" cy="\(middle)" r="10" /><text x="\(x)" y="\(middle + 4)" \
                text-anchor="middle">\(order + 1)</text></g>

                """
        }
    }

    /// Assigns rows to callouts, so that their numbers do not touch on a narrow screen.
    private static func calloutRows(
        for moments: [Timeline.Moment], scale: TimeScale
    ) -> [Int] {
        let distance = 0.065
        return rows(
            for: moments, [{ scale.share(of: $1.at) - scale.share(of: $0.at) >= distance }])
    }

    /// Assigns rows to overlapping spans of a lane. Consecutive spans with the same label share a
    /// row.
    private static func rows(for spans: [Timeline.Span]) -> [Int] {
        rows(for: spans, [{ $0.label == $1.label && $0.to == $1.from }, { $0.to <= $1.from }])
    }

    /// Assigns each item to the first row whose last item it may follow. The rules are tried in
    /// order; there are at most six rows.
    private static func rows<Item>(
        for items: [Item], _ mayFollow: [(_ last: Item, _ next: Item) -> Bool]
    ) -> [Int] {
        var last: [Item] = []
        return items.map { item in
            for rule in mayFollow {
                guard let row = last.firstIndex(where: { rule($0, item) }) else { continue }
                last[row] = item
                return row
            }
            if last.count < 6 { last.append(item) }
            return last.count - 1
        }
    }
}
