import Quantities

/// One lane of the timeline as it grows: at most one span is open at a time.
struct LaneBook: Sendable {
    static let limit = 400

    private(set) var spans: [Timeline.Span] = []
    private(set) var leftOut = 0
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
        guard spans.count < Self.limit else {
            leftOut += 1
            return
        }
        spans.append(span)
    }

    /// Returns the lane in order of time, with the open span extended to the end.
    func lane(_ kind: Timeline.Lane.Kind, title: String, until end: Instant) -> Timeline.Lane {
        var finished = self
        finished.end(at: end)
        return Timeline.Lane(
            kind: kind, title: title, spans: finished.spans.sorted { $0.from < $1.from },
            spansLeftOut: finished.leftOut)
    }

    func times(until end: Instant) -> [SessionFigures.StateTime] {
        var finished = self
        finished.end(at: end)
        return zip(Timeline.State.allCases, finished.nanoseconds).compactMap { state, time in
            time == 0 ? nil : .init(state: state, time: TimeSpan(nanoseconds: time))
        }
    }
}
