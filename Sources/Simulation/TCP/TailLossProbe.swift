/// A segment sent after a silence, before the retransmission timer expires, so that an
/// acknowledgement shows a lost tail (RFC 8985 §7).
struct TailLossProbe {
    /// Time of the next probe; `never` if none is planned.
    private(set) var deadline = RetransmissionTimer.never
    /// Highest sequence number at the latest probe; 0 once it is answered.
    private(set) var end: UInt64 = 0
    private var isRepetition = false

    /// Linux's allowance for a receiver that delays the acknowledgement of a single segment.
    private static let lonelyMargin: UInt64 = 200_000_000
    private static let margin: UInt64 = 2_000_000

    /// Restarts the wait after a packet or an acknowledgement (§7.2).
    @inline(__always)
    mutating func arm(
        at now: UInt64, smoothed: UInt64, isLonely: Bool, timeout: UInt64
    ) {
        guard end == 0, smoothed > 0 else { return }
        let wait = 2 &* smoothed &+ (isLonely ? Self.lonelyMargin : Self.margin)
        deadline = min(now &+ wait, timeout)
    }

    @inline(__always)
    mutating func disarm() { deadline = RetransmissionTimer.never }

    mutating func leaves(end: UInt64, isRepetition: Bool) {
        deadline = RetransmissionTimer.never
        self.end = end
        self.isRepetition = isRepetition
    }

    mutating func forget() {
        deadline = RetransmissionTimer.never
        end = 0
    }

    /// Handles an acknowledgement; returns whether the probe has repaired a loss that nothing else
    /// would have shown (§7.4.2). As in Linux, a retransmission was needless if it is reported as a
    /// duplicate, or answered by a bare duplicate.
    mutating func hidLoss(
        _ number: UInt64, isDuplicate: Bool, isBareDuplicate: Bool
    ) -> Bool {
        guard end != 0, number >= end else { return false }
        if isRepetition, !isDuplicate, number == end, !isBareDuplicate { return false }
        defer { end = 0 }
        return isRepetition && !isDuplicate && number > end
    }

    /// Whether the latest probe was a retransmission and is unanswered.
    var awaitsRepetition: Bool { end != 0 && isRepetition }
}
