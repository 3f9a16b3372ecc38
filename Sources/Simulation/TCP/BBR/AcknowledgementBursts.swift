/// Bytes acknowledged in bursts (Wi-Fi, cable, compressed SACKs) beyond what the rate explains. The
/// window needs as many more to bridge the silence between bursts.
///
/// The largest excess of the last rounds counts, kept in two halves.
struct AcknowledgementBursts {
    private var excesses: (UInt64, UInt64) = (0, 0)
    private var isSecondHalf = false
    private var rounds = 0
    private var begunAt: UInt64 = 0
    private var acknowledged: UInt64 = 0

    private static let longestSilence: UInt64 = 100_000_000
    private static let longestEpoch: UInt64 = (1 << 20) * Packet.usualSegment

    /// Starts a new epoch.
    mutating func begin(at now: UInt64) {
        begunAt = now
        acknowledged = 0
    }

    mutating func count(
        _ delivered: UInt64, at now: UInt64, rate: FlowRate, isRoundStart: Bool, window: UInt64,
        roundsPerHalf: Int = 5
    ) {
        if isRoundStart { turn(after: roundsPerHalf) }
        var expected = rate.bytes(in: now - begunAt)
        if acknowledged <= expected || acknowledged + delivered >= Self.longestEpoch {
            begin(at: now)
            expected = 0
        }
        acknowledged += delivered
        let excess = min(acknowledged - min(expected, acknowledged), window)
        if isSecondHalf {
            excesses.1 = max(excesses.1, excess)
        } else {
            excesses.0 = max(excesses.0, excess)
        }
    }

    /// Returns how much to add to the window.
    func allowance(at rate: FlowRate) -> UInt64 {
        min(max(excesses.0, excesses.1), rate.bytes(in: Self.longestSilence))
    }

    private mutating func turn(after roundsPerHalf: Int) {
        rounds += 1
        guard rounds >= roundsPerHalf else { return }
        rounds = 0
        isSecondHalf.toggle()
        if isSecondHalf { excesses.1 = 0 } else { excesses.0 = 0 }
    }
}
