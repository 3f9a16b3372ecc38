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
    /// The last events before the breach that concern the item, or the world around it.
    package var events: [EventExcerpt.Row]
    /// What was wrong when the rule failed, such as a fault that was on.
    package var troubles: [Trouble]
    /// The last movement of bytes before the breach; `nil` if nothing had moved.
    package var lastMovement: EventExcerpt.Row?
    /// The time from the last movement to the breach.
    package var stillFor: TimeSpan

    /// Whether another breach has the same cause.
    func isSame(as other: BreachCause) -> Bool {
        (at, event, events) == (other.at, other.event, other.events)
            && troubles == other.troubles
    }

    package struct Trouble: Hashable, Sendable, Codable {
        package var since: Instant
        package var words: String
    }
}
