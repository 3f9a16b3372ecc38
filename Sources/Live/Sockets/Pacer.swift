import Quantities

/// Paces bytes at a rate: a token bucket that begins empty and holds a twentieth of a second.
///
/// Its state is the moment up to which all bytes are paid for, so that rounding loses nothing.
struct Pacer: Hashable, Sendable {
    private let rate: Bitrate
    private var paidUntil: Instant

    /// The bucket's depth: a late wake-up within it costs nothing.
    private static let depth = TimeSpan.milliseconds(50)
    /// The smallest piece that is worth a wake-up.
    private static let step = TimeSpan.milliseconds(5)

    init(rate: Bitrate, at now: Instant) {
        self.rate = rate
        paidUntil = now + Self.depth
    }

    /// How many bytes may go now: none until a piece is worthwhile.
    func allowance(at now: Instant) -> Int {
        let saved = min((now + Self.depth) - paidUntil, Self.depth)
        guard saved >= worthwhile else { return 0 }
        let (high, low) = UInt64(saved.nanoseconds).multipliedFullWidth(by: rate.bitsPerSecond)
        let bytes = UInt64(8_000_000_000).dividingFullWidth((high, low)).quotient
        return Int(clamping: bytes)
    }

    mutating func spend(_ count: Int, at now: Instant) {
        // Time beyond the depth is lost.
        paidUntil = max(paidUntil, now) + rate.timeToSend(ByteCount(UInt64(count)))
    }

    /// When the next piece may go.
    func nextAllowance(at now: Instant) -> Instant {
        let due = paidUntil.sinceStart + worthwhile - Self.depth
        return max(Instant(nanoseconds: UInt64(max(due, .zero).nanoseconds)), now)
    }

    private var worthwhile: TimeSpan { max(Self.step, rate.timeToSend(ByteCount(1))) }
}
