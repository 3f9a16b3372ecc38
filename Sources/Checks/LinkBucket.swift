import Quantities
import RunLog

/// A token bucket computed from a link's terms alone, as the moment at which it would be full
/// again (the virtual scheduling of ITU-T I.371, which equals a bucket).
/// Moments are multiplied by the rate, so that no division rounds.
struct LinkBucket: Sendable {
    private let rate: UInt128
    private let burst: UInt128
    private var fullAt: UInt128 = 0

    init(_ terms: LinkTerms.Bucket) {
        rate = UInt128(terms.rate.bitsPerSecond)
        burst = UInt128(terms.burst.bytes) * 8_000_000_000
    }

    /// Whether the bucket has the tokens of a packet, which are then taken.
    mutating func admits(_ size: UInt16, at time: UInt64) -> Bool {
        let now = UInt128(time) * rate
        let later = max(fullAt, now) + UInt128(size) * 8_000_000_000
        guard later <= now + burst else { return false }
        fullAt = later
        return true
    }

    /// Returns the first moment at which the bucket has the tokens of a packet, and takes them.
    mutating func earliest(for size: UInt16, from time: UInt64) -> UInt64 {
        fullAt = max(fullAt, UInt128(time) * rate) + UInt128(size) * 8_000_000_000
        guard fullAt > burst else { return time }
        return max(time, UInt64((fullAt - burst + rate - 1) / rate))
    }
}
