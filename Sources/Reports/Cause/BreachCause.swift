package import Quantities

/// What led to a breach, as the log tells it: the last events before it, what was wrong at that
/// time, and for how long nothing had moved.
package struct BreachCause: Hashable, Sendable, Codable {
    package var rule: String
    /// The item that the breach is about, if it names one.
    package var item: String?
    /// The moment to which the breach is traced. For a breach at the end of the log it is the last
    /// movement, for any other the breach itself.
    package var at: Instant
    /// The index of the event at that moment.
    package var event: Int
    /// What the rule's subject tells of the breach; `nil` if it tells nothing.
    package var reasons: [Reason]?
    /// The last events before the breach that concern the item, or the world around it.
    package var events: [EventExcerpt.Row]
    /// What was wrong when the rule failed, such as a fault that was on.
    package var troubles: [Reason]
    /// The last movement of bytes before the breach; `nil` if nothing had moved.
    package var lastMovement: EventExcerpt.Row?
    /// The time from the last movement to the breach.
    package var stillFor: TimeSpan

    /// Whether another breach has the same cause.
    func isSame(as other: BreachCause) -> Bool {
        (at, event, events) == (other.at, other.event, other.events)
            && (reasons, troubles) == (other.reasons, other.troubles)
    }

    /// Why the rule failed, in the order of time: the reasons of its subject, or else for how long
    /// nothing has moved; and what was wrong.
    package var why: [Reason] {
        ((reasons ?? standstill) + troubles).sorted { $0.event < $1.event }
    }

    /// For how long nothing has moved, if it is long. In the middle of a run there are pauses.
    private var standstill: [Reason] {
        guard stillFor >= .seconds(at == lastMovement?.at ? 1 : 10) else { return [] }
        let words = "no byte of \(item ?? "anything") moved for \(stillFor.rounded)"
        guard let last = lastMovement else { return [Reason(event: 0, at: .start, words: words)] }
        return [
            Reason(
                event: last.event, at: last.at,
                words: "\(last.sentence); \(words) from then on")
        ]
    }

    /// A moment that explains a breach.
    package struct Reason: Hashable, Sendable, Codable {
        /// The index of the event in the log.
        package var event: Int
        package var at: Instant
        package var words: String
    }
}
