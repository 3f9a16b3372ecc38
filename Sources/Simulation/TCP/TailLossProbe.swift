/// A segment sent into a silence before the retransmission timer runs out, so that a lost tail
/// shows itself by an acknowledgement (RFC 8985 §7).
struct TailLossProbe {
    /// When the silence will have lasted long enough; `never` while none is waited for.
    private(set) var deadline = RetransmissionTimer.never
    /// The end of what had been sent when a probe went out; 0 while none is unanswered.
    private(set) var end: UInt64 = 0
    private var isRepetition = false

    /// Linux: a receiver may hold the acknowledgement of a lonely segment back for so long.
    private static let lonelyMargin: UInt64 = 200_000_000
    private static let margin: UInt64 = 2_000_000

    enum Answer {
        case none
        /// The probe has repaired a loss that nothing else would have shown.
        case hidLoss
    }

    /// Something has been sent or acknowledged: the silence begins anew (§7.2).
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

    /// No answer will be waited for.
    mutating func forget() {
        deadline = RetransmissionTimer.never
        end = 0
    }

    /// What an acknowledgement says about the probe (§7.4.2, in the way of Linux: a repetition was
    /// not needed if it is reported to have come twice, or if a bare duplicate answers it).
    mutating func acknowledged(
        _ number: UInt64, isDuplicate: Bool, isBareDuplicate: Bool
    ) -> Answer {
        guard end != 0, number >= end else { return .none }
        if isRepetition, !isDuplicate, number == end, !isBareDuplicate { return .none }
        defer { end = 0 }
        return isRepetition && !isDuplicate && number > end ? .hidLoss : .none
    }

    /// Whether a repetition is not answered yet.
    var awaitsRepetition: Bool { end != 0 && isRepetition }
}
