package import Quantities

/// Random early detection (Floyd and Jacobson 1993): drops on arrival with a chance that grows with
/// the average length of the queue, between two thresholds.
package struct RED: Sendable {
    private let options: Options
    private var random: RandomStream
    /// The average length, in 65 536ths of a byte.
    private var average: Int64 = 0
    /// Packets since the last drop, or since the average came above the lower threshold.
    private var count: Int64 = -1

    package struct Options: Hashable, Sendable {
        package var lower: ByteCount
        package var upper: ByteCount
        /// The chance at the upper threshold; above it everything is dropped.
        package var highest: Probability
        /// The weight of the newest length in the average.
        package var weight: Probability
        /// Whether the queue marks ECN-capable packets below the upper threshold (RFC 3168 §7).
        package var marks = false

        package init(
            lower: ByteCount, upper: ByteCount, highest: Probability = RED.usualChance,
            weight: Probability = RED.usualWeight
        ) {
            self.lower = lower
            self.upper = upper
            self.highest = highest
            self.weight = weight
        }
    }

    /// The default chance at the upper threshold. The authors advise an upper threshold of three
    /// times the lower one.
    package static let usualChance = Probability(percent: 10) ?? .always
    /// The default weight 2⁻⁹, the paper's 0.002.
    package static let usualWeight = Probability(percent: 100.0 / 512) ?? .always

    init(_ options: Options, random: RandomStream) {
        self.options = options
        self.random = random
    }

    mutating func judge(_ packet: WaitingPacket, waiting bytes: UInt64) -> ArrivalVerdict {
        average += weighted((Int64(bytes) << 16) - average)
        let length = UInt64(average >> 16)
        if length < options.lower.bytes {
            count = -1
            return .join
        }
        if length >= options.upper.bytes {
            count = 0
            return .drop
        }
        guard isChosen(at: length) else { return .join }
        return options.marks && packet.isMarkable ? .mark : .drop
    }

    /// Whether a packet between the thresholds is chosen.
    private mutating func isChosen(at length: UInt64) -> Bool {
        count += 1
        let range = options.upper.bytes - options.lower.bytes
        let share = options.highest.threshold / range * (length - options.lower.bytes)
        // The chance grows with each passed packet, so that drops are spread evenly.
        let passed = UInt64(count).multipliedReportingOverflow(by: share)
        let whole = Probability.always.threshold
        let isCertain = passed.overflow || passed.partialValue >= whole - share
        // share / (1 − count · share), compared without the division.
        let draw = random.next() >> 11
        let isDrawn =
            isCertain
            || draw.multipliedFullWidth(by: whole - passed.partialValue)
                < share.multipliedFullWidth(by: whole)
        if isDrawn { count = 0 }
        return isDrawn
    }

    /// Notes an idle time in which this many full packets could have been sent.
    mutating func stoodEmpty(for packets: UInt64) {
        for _ in 0..<min(packets, 8_192) where average > 0 {
            average -= max(1, weighted(average))
        }
    }

    /// Returns the weighted value, rounded down.
    private func weighted(_ value: Int64) -> Int64 {
        let product = value.multipliedFullWidth(by: Int64(options.weight.threshold))
        return product.high << 11 | Int64(bitPattern: UInt64(product.low) >> 53)
    }
}
