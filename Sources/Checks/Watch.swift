import Quantities
import RunLog

/// A check's position in the log, and the first moment at which its rule failed.
struct Watch: Sendable {
    private(set) var breach: Breach?
    private(set) var runHasEnded = false
    private var event = -1
    private var at = Instant.start
    private var breachIsByPacket = false

    /// Advances to the next event; a check calls this first.
    mutating func step(to next: RunEvent) {
        event += 1
        at = next.at
        if next.fact.endsRun { runHasEnded = true }
        // Packets arrive before the events of their batch, so the event before a packet may come
        // now.
        if breachIsByPacket, let packetAt = breach?.at, next.at < packetAt { breach?.event = event }
    }

    /// A moment in the log.
    struct Mark: Hashable, Sendable {
        var event: Int
        var at: Instant
    }

    /// The current position.
    var mark: Mark { Mark(event: max(event, 0), at: at) }

    /// Notes that the rule failed at an earlier position; only the first failure counts.
    mutating func fall(at mark: Mark, expected: String, seen: String) {
        guard breach == nil else { return }
        breach = Breach(event: mark.event, at: mark.at, expected: expected, seen: seen)
    }

    /// Notes that the rule fails at this event; only the first failure counts.
    mutating func fall(expected: String, seen: String) {
        fall(at: mark, expected: expected, seen: seen)
    }

    /// Says better what was seen at the failure; its place stays.
    mutating func amend(seen: String) { breach?.seen = seen }

    /// Notes a breach at this event that a part of the check has found.
    mutating func fall(_ slip: Slip) { fall(expected: slip.expected, seen: slip.seen) }

    mutating func fall(byPacketAt packetAt: Instant, expected: String, seen: String) {
        guard breach == nil else { return }
        breach = Breach(event: max(event, 0), at: packetAt, expected: expected, seen: seen)
        breachIsByPacket = true
    }

    /// The reason why nothing can be judged *by the end*: the end is not in the log.
    var missingEnd: String? { runHasEnded ? nil : "the log ends before the run does" }

    /// Returns *broken* if the rule failed, otherwise *held*, unless nothing could be judged.
    func answer(notApplicableBecause reason: String?) -> Verdict.Answer {
        if let breach { return .broken(breach) }
        if let reason { return .notApplicable(because: reason) }
        return .held
    }
}
