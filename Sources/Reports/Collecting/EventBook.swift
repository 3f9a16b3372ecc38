import RunLog

/// The first and the last events of a run, and the number of events between them.
struct EventBook: Sendable {
    static let firstRows = 1_000
    static let lastRows = 500

    private var first: [EventExcerpt.Row] = []
    /// A ring of the last rows; once it is full, the next row replaces `oldest`.
    private var last: [EventExcerpt.Row] = []
    private var oldest = 0
    private var leftOut = 0
    private var frequent = 0

    mutating func read(_ event: RunEvent, index: Int, _ names: RunNames) {
        guard !event.fact.isFrequent else {
            frequent += 1
            return
        }
        let row = EventExcerpt.Row(event, index: index, names)
        guard first.count == Self.firstRows else { return first.append(row) }
        guard last.count == Self.lastRows else { return last.append(row) }
        last[oldest] = row
        oldest = (oldest + 1) % Self.lastRows
        leftOut += 1
    }

    var excerpt: EventExcerpt {
        EventExcerpt(
            rows: first + last[oldest...] + last[..<oldest], leftOut: leftOut, frequent: frequent)
    }
}
