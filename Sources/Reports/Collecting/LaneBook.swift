import Quantities

/// One lane of the timeline as it grows: at most one span is open at a time. If there are too many
/// spans, those of a state that are near to each other become one.
struct LaneBook: Sendable {
    static let limit = 400

    private(set) var spans: [Timeline.Span] = []
    /// The largest gap that a merged span may have.
    private var gap = TimeSpan.seconds(1)
    private(set) var open: Timeline.Span?
    /// Time by state, including spans that had no room.
    private var nanoseconds = [Int64](repeating: 0, count: Timeline.State.allCases.count)

    /// Ends the open span and begins a new one.
    mutating func begin(_ state: Timeline.State, _ label: String, at now: Instant) {
        end(at: now)
        open = Timeline.Span(from: now, to: now, state: state, label: label)
    }

    mutating func end(at now: Instant) {
        guard var span = open else { return }
        open = nil
        // A span without length is not shown.
        guard now > span.from else { return }
        span.to = now
        add(span)
    }

    mutating func add(_ span: Timeline.Span) {
        if let place = Timeline.State.allCases.firstIndex(of: span.state) {
            nanoseconds[place] += (span.to - span.from).nanoseconds
        }
        spans.append(span)
        while spans.count > Self.limit { thin() }
    }

    /// Merges spans of a state that begin soon after the last one's end.
    private mutating func thin() {
        var merged: [Timeline.Span] = []
        var latest: [Timeline.State: Int] = [:]
        for span in spans.sorted(by: { $0.from < $1.from }) {
            if let place = latest[span.state], span.from - merged[place].to < gap {
                merged[place].to = max(merged[place].to, span.to)
                merged[place].count = (merged[place].count ?? 1) + (span.count ?? 1)
            } else {
                latest[span.state] = merged.count
                merged.append(span)
            }
        }
        spans = merged
        gap = gap * 2
    }

    /// Returns the lane in order of time, with the open span extended to the end.
    func lane(_ kind: Timeline.Lane.Kind, title: String, until end: Instant) -> Timeline.Lane {
        var finished = self
        finished.end(at: end)
        return Timeline.Lane(
            kind: kind, title: title, spans: finished.spans.sorted { $0.from < $1.from })
    }

    func times(until end: Instant) -> [SessionFigures.StateTime] {
        var finished = self
        finished.end(at: end)
        return zip(Timeline.State.allCases, finished.nanoseconds).compactMap { state, time in
            time == 0 ? nil : .init(state: state, time: TimeSpan(nanoseconds: time))
        }
    }
}
