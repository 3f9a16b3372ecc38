import Quantities
import RunLog

/// Where a check stands in the log, and the first moment at which its rule did not hold.
struct Watch: Sendable {
    private(set) var breach: Breach?
    private var runHasEnded = false
    private var event = -1
    private var at = Instant.start
    private var breachIsByPacket = false

    /// The first thing that a check does with an event.
    mutating func step(to next: RunEvent) {
        event += 1
        at = next.at
        if case .run(.ended) = next.fact { runHasEnded = true }
        // Packets are handed over ahead of the events of their batch: the event before a packet may
        // come only now.
        if breachIsByPacket, let packetAt = breach?.at, next.at < packetAt { breach?.event = event }
    }

    /// A moment in the log.
    struct Mark: Hashable, Sendable {
        var event: Int
        var at: Instant
    }

    /// Where the log stands.
    var mark: Mark { Mark(event: max(event, 0), at: at) }

    /// The rule does not hold because of what happened there; only the first time counts.
    mutating func fall(at mark: Mark, expected: String, seen: String) {
        guard breach == nil else { return }
        breach = Breach(event: mark.event, at: mark.at, expected: expected, seen: seen)
    }

    /// The rule does not hold at this event; only the first time counts.
    mutating func fall(expected: String, seen: String) {
        fall(at: mark, expected: expected, seen: seen)
    }

    mutating func fall(byPacketAt packetAt: Instant, expected: String, seen: String) {
        guard breach == nil else { return }
        breach = Breach(event: max(event, 0), at: packetAt, expected: expected, seen: seen)
        breachIsByPacket = true
    }

    /// Why what should happen *by the end* cannot be judged: the end is not in the log.
    var missingEnd: String? { runHasEnded ? nil : "the log stops before the run's end" }

    /// Broken if the rule fell; otherwise held, unless there is a reason why nothing could be
    /// judged.
    func answer(notApplicableBecause reason: String?) -> Verdict.Answer {
        if let breach { return .broken(breach) }
        if let reason { return .notApplicable(because: reason) }
        return .held
    }
}
