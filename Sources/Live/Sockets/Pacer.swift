import Quantities

/// Lets bytes go at a rate: a token bucket, which begins empty and holds a twentieth of a second.
///
/// Kept as the moment up to which all that went is paid for, so that nothing is lost by rounding.
struct Pacer: Hashable, Sendable {
    private let rate: Bitrate
    private var paidUntil: Instant

    /// What is saved up at most: long enough that a late wake-up costs nothing.
    private static let depth = TimeSpan.milliseconds(50)
    /// It is not worth waking up for less, nor sending it by itself.
    private static let step = TimeSpan.milliseconds(5)

    init(rate: Bitrate, at now: Instant) {
        self.rate = rate
        paidUntil = now + Self.depth
    }

    /// How many bytes may go now: none until a few are worth the trouble.
    func allowance(at now: Instant) -> Int {
        let saved = min((now + Self.depth) - paidUntil, Self.depth)
        guard saved >= worthwhile else { return 0 }
        let (high, low) = UInt64(saved.nanoseconds).multipliedFullWidth(by: rate.bitsPerSecond)
        let bytes = UInt64(8_000_000_000).dividingFullWidth((high, low)).quotient
        return Int(clamping: bytes)
    }

    mutating func spend(_ count: Int, at now: Instant) {
        // What could not be saved up is lost.
        paidUntil = max(paidUntil, now) + rate.timeToSend(ByteCount(UInt64(count)))
    }

    /// When it is worth asking again.
    func nextAllowance(at now: Instant) -> Instant {
        let due = paidUntil.sinceStart + worthwhile - Self.depth
        return max(Instant(nanoseconds: UInt64(max(due, .zero).nanoseconds)), now)
    }

    private var worthwhile: TimeSpan { max(Self.step, rate.timeToSend(ByteCount(1))) }
}
