package import Quantities

/// A shaper as Linux's `tbf`: a packet waits until a token bucket has its tokens, and then leaves
/// at the rate of the line, tbf's `peakrate`.
package struct Shaper: Hashable, Sendable {
    package let line: Bitrate
    package let bucket: TokenBucket.Options

    package init(line: Bitrate, bucket: TokenBucket.Options) {
        self.line = line
        self.bucket = bucket
    }

    /// Returns tbf's limit for a longest wait, which is counted from an empty bucket (`tc/q_tbf.c`:
    /// rate × latency + burst).
    package static func limit(_ bucket: TokenBucket.Options, latency: TimeSpan) -> ByteCount {
        let bits = bucket.rate.bitsPerSecond.multipliedFullWidth(by: latency.nanoseconds.magnitude)
        let perByte: UInt64 = 8_000_000_000
        let queued = perByte.dividingFullWidth((bits.high, bits.low)).quotient
        return ByteCount(queued + bucket.burst.bytes)
    }
}
