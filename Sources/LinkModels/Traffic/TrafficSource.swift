package import Quantities

/// Other traffic on a link: evenly spaced packets, all the time or in bursts, regardless of loss.
/// The source has no clock; the caller asks for one moment after the other.
package struct TrafficSource: Sendable {
    private let plan: Plan
    private var random: RandomStream
    private var burstBegin: UInt64
    private var burstEnd: UInt64
    /// The number of packets in this burst so far.
    private var count: UInt64 = 0

    package struct Plan: Hashable, Sendable {
        /// The rate while it sends.
        package var rate: Bitrate
        /// The size of the whole IP packet.
        package var packetSize: ByteCount
        package var from: TimeSpan
        /// The end; `nil` means the end of the run.
        package var until: TimeSpan?
        /// The bursts; `nil` means that the source never pauses.
        package var bursts: Bursts?

        package init(
            rate: Bitrate, packetSize: ByteCount = ByteCount(1_500), from: TimeSpan = .zero,
            until: TimeSpan? = nil, bursts: Bursts? = nil
        ) {
            self.rate = rate
            self.packetSize = packetSize
            self.from = from
            self.until = until
            self.bursts = bursts
        }
    }

    /// Alternating times of sending and pausing, beginning with sending.
    package struct Bursts: Hashable, Sendable {
        package var on: TimeSpan
        package var off: TimeSpan
        package var lengths: Lengths

        package enum Lengths: String, Hashable, Sendable, CaseIterable {
            /// Always exactly this length.
            case fixed
            /// This length on average, exponentially distributed and so without memory.
            case exponential

            /// Draws a length; `span` is the length, or its mean.
            package func length(_ span: TimeSpan, from random: inout RandomStream) -> TimeSpan {
                switch self {
                case .fixed: return span
                case .exponential:
                    let quantile = QuantileTable.quantile(
                        QuantileTable.exponential, at: random.next())
                    let scaled = UInt128(span.nanoseconds.magnitude) * UInt128(quantile)
                    return TimeSpan(nanoseconds: Int64(scaled / 65_536))
                }
            }
        }

        package init(on: TimeSpan, off: TimeSpan, lengths: Lengths = .fixed) {
            self.on = on
            self.off = off
            self.lengths = lengths
        }
    }

    package init(_ plan: Plan, random: RandomStream) {
        self.plan = plan
        self.random = random
        burstBegin = plan.from.nanoseconds.magnitude
        burstEnd = .max
        if let bursts = plan.bursts { burstEnd = burstBegin + length(bursts.on, bursts) }
    }

    /// Returns the moment of the next packet; `nil` if there is none.
    package mutating func next() -> Instant? {
        let end = plan.until?.nanoseconds.magnitude ?? UInt64.max
        while burstBegin < end {
            let moment = burstBegin + offset(of: count)
            if moment < burstEnd {
                count += 1
                return moment < end ? Instant(nanoseconds: moment) : nil
            }
            guard let bursts = plan.bursts else { return nil }
            burstBegin = burstEnd + length(bursts.off, bursts)
            burstEnd = burstBegin + length(bursts.on, bursts)
            count = 0
        }
        return nil
    }

    /// Returns the time from a burst's start to its n-th packet, without accumulated rounding.
    private func offset(of count: UInt64) -> UInt64 {
        let scaled = UInt128(count) * UInt128(plan.packetSize.bytes) * 8_000_000_000
        return UInt64(scaled / UInt128(plan.rate.bitsPerSecond))
    }

    private mutating func length(_ span: TimeSpan, _ bursts: Bursts) -> UInt64 {
        bursts.lengths.length(span, from: &random).nanoseconds.magnitude
    }
}
