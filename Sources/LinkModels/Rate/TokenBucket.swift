package import Quantities

/// A token bucket: it fills at a rate up to a burst, and every byte takes a token (RFC 2697 §3,
/// with no excess burst).
/// Tokens are counted in bits times 10⁹, so that each nanosecond adds a whole number of them.
package struct TokenBucket: Sendable {
    private let rate: UInt128
    private let capacity: UInt128
    private var level: UInt128
    /// The moment at which `level` was right.
    private var time: UInt64 = 0

    package struct Options: Hashable, Sendable {
        package var rate: Bitrate
        /// The capacity, at least the largest packet.
        package var burst: ByteCount

        package init(rate: Bitrate, burst: ByteCount) {
            self.rate = rate
            self.burst = burst
        }
    }

    init(_ options: Options) {
        rate = UInt128(options.rate.bitsPerSecond)
        capacity = Self.tokens(options.burst.bytes)
        level = capacity
    }

    /// Takes the tokens of a packet, or none if there are too few.
    mutating func take(_ size: Int, at now: UInt64) -> Bool {
        fill(until: now)
        let needed = Self.tokens(UInt64(size))
        guard level >= needed else { return false }
        level -= needed
        return true
    }

    /// Takes the tokens of a packet as soon as there are enough, and returns that moment. It must
    /// not be before that of the previous call.
    mutating func takeWhenFilled(_ size: Int, from begin: UInt64) -> UInt64 {
        fill(until: begin)
        let needed = min(Self.tokens(UInt64(size)), capacity)
        if level < needed {
            let wait = (needed - level + rate - 1) / rate
            level += rate * wait
            time += UInt64(wait)
        }
        level -= needed
        return max(begin, time)
    }

    /// Returns the tokens of packets that were dropped before they were sent.
    mutating func giveBack(_ bytes: UInt64, at now: UInt64) {
        level += Self.tokens(bytes)
        if now < time {
            let since = rate * UInt128(time - now)
            level = level > since ? level - since : 0
            time = now
        }
        level = min(level, capacity)
    }

    private mutating func fill(until now: UInt64) {
        guard now > time else { return }
        level = min(capacity, level + rate * UInt128(now - time))
        time = now
    }

    private static func tokens(_ bytes: UInt64) -> UInt128 { UInt128(bytes) * 8_000_000_000 }
}
