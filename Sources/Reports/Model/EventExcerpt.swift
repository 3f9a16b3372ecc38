package import Quantities
import RunLog

/// The events that a report shows: the first and the last events of a long run, and the events at
/// which a rule failed. Progress callbacks and packet marks are only in `events.jsonl`, because
/// there are thousands.
package struct EventExcerpt: Hashable, Sendable, Codable {
    package var rows: [Row] = []
    /// The number of other events for which there was no room.
    package var leftOut = 0
    /// The number of progress callbacks and packet marks.
    package var frequent = 0

    package struct Row: Hashable, Sendable, Codable {
        /// The event's index in the log, counted from 0.
        package var event: Int
        package var at: Instant
        package var subject: String
        package var sentence: String

        init(_ event: RunEvent, index: Int, _ names: RunNames) {
            self.event = index
            at = event.at
            subject = event.fact.subject
            sentence = event.sentence(names)
        }
    }

    package func row(of event: Int) -> Row? { rows.first { $0.event == event } }

    /// Adds an event at which a rule failed, unless it is already there.
    mutating func add(_ event: RunEvent, index: Int, _ names: RunNames) {
        guard row(of: index) == nil else { return }
        let place = rows.firstIndex { $0.event > index } ?? rows.endIndex
        rows.insert(Row(event, index: index, names), at: place)
        if event.fact.isFrequent { frequent -= 1 } else { leftOut -= 1 }
    }
}

extension Fact {
    var isFrequent: Bool {
        switch self {
        case .packets, .shown, .queue(.callback(_, .progress)): true
        default: false
        }
    }
}
