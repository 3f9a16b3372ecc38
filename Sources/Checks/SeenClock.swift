import Quantities

/// A phone's wall clock, as it must be after the jumps in the log.
struct SeenClock: Sendable {
    private let atStart: Int64
    private let start: Instant
    private var jumped = TimeSpan.zero
    private var hasJumped = false

    init(showing wall: UInt64, at now: Instant) {
        atStart = Int64(clamping: wall)
        start = now
    }

    /// Takes a jump. Returns a breach if the clock shows something else afterwards than it should.
    mutating func jump(
        by span: TimeSpan, showing wall: UInt64, at now: Instant,
        _ evidence: inout Evidence<PhoneObeysItsSystem.Clause>
    ) -> Slip? {
        jumped = jumped + span
        evidence.decides(.jumps, if: hasJumped)
        evidence.decides(.slow, if: jumped < .zero)
        hasJumped = true
        let due = max(0, atStart + (now - start).nanoseconds + jumped.nanoseconds)
        let error = TimeSpan(nanoseconds: due - Int64(clamping: wall))
        guard error < .zero - SeenPhone.moment || SeenPhone.moment < error else { return nil }
        return Slip(
            expected: "the wall clock shows \(due / 1_000_000_000) s since 1970",
            seen: "it shows \(wall / 1_000_000_000) s")
    }
}
