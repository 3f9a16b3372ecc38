/// A rate in bits per second; bits and bytes meet only in `timeToSend`.
package struct Bitrate: Hashable, Sendable {
    package let bitsPerSecond: UInt64

    package init(bitsPerSecond: UInt64) {
        precondition(bitsPerSecond > 0, "a rate of zero is an outage, not a rate")
        self.bitsPerSecond = bitsPerSecond
    }

    /// Returns the mean rate; `nil` if the time is zero.
    package init?(_ count: ByteCount, in time: TimeSpan) {
        guard count > .zero, time > .zero else { return nil }
        let bits = count.bytes.multipliedFullWidth(by: 8_000_000_000)
        let divisor = UInt64(time.nanoseconds)
        guard bits.high < divisor else { return nil }
        let rate = divisor.dividingFullWidth((bits.high, bits.low)).quotient
        guard rate > 0 else { return nil }
        self.init(bitsPerSecond: rate)
    }

    /// Returns the time to send these bytes, rounded up to the nanosecond, so that nothing is
    /// early. The result is at most the longest span, 292 years.
    package func timeToSend(_ count: ByteCount) -> TimeSpan {
        let bits = count.bytes.multipliedFullWidth(by: 8_000_000_000)
        guard bits.high < bitsPerSecond else { return TimeSpan(nanoseconds: .max) }
        let (quotient, remainder) = bitsPerSecond.dividingFullWidth((bits.high, bits.low))
        guard quotient < UInt64(Int64.max) else { return TimeSpan(nanoseconds: .max) }
        return TimeSpan(nanoseconds: Int64(quotient + (remainder > 0 ? 1 : 0)))
    }

    /// Returns `timeToSend` of 0, 1, 2, … bytes, fewer than `count`. Additions replace a thousand
    /// divisions, which would take a good part of a run's start.
    package func timesToSend(fewerThan count: Int) -> [TimeSpan] {
        let step = UInt64(8_000_000_000).quotientAndRemainder(dividingBy: bitsPerSecond)
        var (whole, rest) = (UInt64(0), UInt64(0))
        return (0..<count).map { _ in
            defer {
                let isFull = rest >= bitsPerSecond - step.remainder
                rest = isFull ? rest - (bitsPerSecond - step.remainder) : rest + step.remainder
                whole += step.quotient + (isFull ? 1 : 0)
            }
            return TimeSpan(nanoseconds: Int64(whole + (rest > 0 ? 1 : 0)))
        }
    }
}

extension Bitrate: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.bitsPerSecond < right.bitsPerSecond
    }
}

extension Bitrate: CustomStringConvertible {
    package var description: String {
        let units: [(UInt64, String)] = [
            (1_000_000_000, "Gbit/s"), (1_000_000, "Mbit/s"), (1_000, "kbit/s"),
        ]
        for (unit, name) in units where bitsPerSecond >= unit {
            return decimal(bitsPerSecond, per: unit, places: 3) + " " + name
        }
        return "\(bitsPerSecond) bit/s"
    }
}

extension Bitrate: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try UInt64(from: decoder)
        guard value > 0 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a rate of zero"))
        }
        bitsPerSecond = value
    }
    package func encode(to encoder: any Encoder) throws { try bitsPerSecond.encode(to: encoder) }
}
