import Quantities

/// A radio at work. It serves both directions of an interface, and must see every packet.
///
/// The moments at which a phone listens or may ask are multiples of their periods, as 3GPP
/// TS 36.321 §5.7 derives them from the frame number.
package struct RadioClock: Sendable {
    private let plan: RadioPlan
    /// The latest moment at which a packet was on the air; `nil` if the radio has just been
    /// switched on.
    private var latest: UInt64?
    /// The end of the latest promotion.
    private var readyAt: UInt64 = 0

    package enum Way: Sendable { case up, down }

    package init(_ plan: RadioPlan) { self.plan = plan }

    /// Returns the first moment at which the link may begin to send a packet that comes now.
    /// `busyUntil` is the end of the latest sending in either direction, and `isFree` tells whether
    /// nothing is being sent in the packet's own.
    package mutating func release(
        _ way: Way, busyUntil: UInt64, isFree: Bool, atNanoseconds now: UInt64
    ) -> UInt64 {
        guard now >= readyAt else { return readyAt }
        let quiet = latest.map { latest in
            let end = max(latest, busyUntil)
            return now > end ? now - end : 0
        }
        latest = max(now, busyUntil)
        if let rest = rest(after: quiet) {
            let start = way == .down ? Self.next(now, in: rest.paging) : now
            readyAt = start + rest.promotion.nanoseconds.magnitude
            latest = readyAt
            return readyAt
        }
        switch way {
        case .up: return isFree ? granted(at: now) : now
        case .down: return heard(at: now, after: quiet ?? 0)
        }
    }

    /// Switches the radio off; its next packet finds it in its deepest rest.
    package mutating func switchOff() {
        latest = nil
        readyAt = 0
    }

    private func rest(after quiet: UInt64?) -> RadioPlan.Rest? {
        guard let quiet else { return plan.rests.last }
        return plan.rests.last { quiet > $0.after.nanoseconds.magnitude }
    }

    private func granted(at now: UInt64) -> UInt64 {
        guard let grant = plan.grant else { return now }
        return Self.next(now, in: grant.every) + grant.takes.nanoseconds.magnitude
    }

    private func heard(at now: UInt64, after quiet: UInt64) -> UInt64 {
        guard let sleep = plan.sleep, quiet > sleep.after.nanoseconds.magnitude,
            now % sleep.cycle.nanoseconds.magnitude >= sleep.awake.nanoseconds.magnitude
        else { return now }
        return Self.next(now, in: sleep.cycle)
    }

    /// Returns the first multiple of a period that is not before a moment.
    private static func next(_ now: UInt64, in period: TimeSpan) -> UInt64 {
        let period = period.nanoseconds.magnitude
        return period == 0 ? now : (now + period - 1) / period * period
    }
}
