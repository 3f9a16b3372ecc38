import Quantities

/// The run over time: a drawing without JavaScript, and its moments in words.
enum TimelineSection {
    /// The largest number of moments shown unfolded, to keep the page short.
    private static let openMoments = 12

    static func body(of model: ReportModel) -> Markup? {
        let timeline = model.timeline
        guard !timeline.lanes.isEmpty else { return nil }
        let drawing = TimelineDrawing(timeline, length: model.duration)
        return """
            <figure data-seconds="\(TimeScale(length: model.duration).seconds)">\
            \(drawing.markup)
            <figcaption>\(legend(of: timeline))\(leftOut(of: timeline))</figcaption></figure>
            \(moments(of: timeline, in: model))
            """
    }

    private static func legend(of timeline: Timeline) -> Markup {
        let shown = Timeline.State.allCases.filter { state in
            timeline.lanes.contains { $0.spans.contains { $0.state == state } }
        }
        return """
            <ul class="legend">\(shown.map {
                """
                <li><svg class="swatch" width="22" height="12" aria-hidden="true">\
                <rect class="span \($0.rawValue)" x="1" y="1" width="20" height="10" rx="2" />\
                </svg> \($0.words)</li>
                """ as Markup
            })</ul>
            """
    }

    private static func leftOut(of timeline: Timeline) -> Markup {
        var notes: [String] = []
        for lane in timeline.lanes {
            if lane.spansLeftOut > 0 {
                notes.append("\(lane.title): \(lane.spansLeftOut) more spans are not drawn")
            }
            let merged = lane.spans.reduce(0) { $0 + ($1.count ?? 0) }
            if merged > 0 {
                notes.append("\(lane.title): \(merged) spans are merged with those beside them")
            }
        }
        return notes.isEmpty
            ? .nothing : "<p class=\"note\">\(notes.joined(separator: "; ")).</p>"
    }

    private static func moments(of timeline: Timeline, in model: ReportModel) -> Markup {
        guard !timeline.moments.isEmpty else { return .nothing }
        let rows = timeline.moments.enumerated().map { order, moment -> Markup in
            let time: Markup =
                model.events.row(of: moment.event) == nil
                ? "\(moment.at.told)"
                : "<a href=\"#event-\(moment.event)\">\(moment.at.told)</a>"
            return """
                <li class="\(moment.kind.rawValue)"><span class="callout">\(order + 1)</span>\
                <span class="moment"><strong>\(moment.kind.words)</strong> \
                \(moment.words)</span>\
                <span class="time">\(time)</span></li>

                """
        }
        let more: Markup =
            timeline.momentsLeftOut == 0
            ? .nothing
            : "<p class=\"note\">\(timeline.momentsLeftOut) lesser moments are left out.</p>"
        let rest = rows.dropFirst(openMoments)
        let folded: Markup =
            rest.isEmpty
            ? .nothing
            : """
            <details><summary>\(rest.count) more moments</summary>
            <ol class="moments">\(Array(rest))</ol></details>
            """
        return """
            <ol class="moments">\(Array(rows.prefix(openMoments)))</ol>
            \(folded)\(more)
            """
    }
}

extension Timeline.Moment.Kind {
    var words: String {
        switch self {
        case .killed: "kill"
        case .launched: "launch"
        case .resumed: "resume"
        case .startedOver: "start over"
        case .published: "publish"
        case .failed: "failure"
        case .refused: "refusal"
        case .lost: "connection lost"
        case .fault: "fault"
        case .breach: "✘ failed rule"
        }
    }
}
