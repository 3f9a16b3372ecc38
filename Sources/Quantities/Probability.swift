/// A chance between never and always, held as a threshold so that a draw is one comparison of
/// integers.
package struct Probability: Hashable, Sendable {
    /// The limit for 53 random bits: a draw below it counts as *yes*.
    package let threshold: UInt64

    package static let never = Probability(threshold: 0)
    package static let always = Probability(threshold: 1 << 53)

    /// `nil` outside 0…100: a percentage from a scenario file is a diagnostic, not a trap.
    package init?(percent: Double) {
        guard (0...100).contains(percent) else { return nil }
        threshold = UInt64(percent / 100 * 0x1p53)
    }

    private init(threshold: UInt64) { self.threshold = threshold }

    /// The chance as a number between 0 and 1; for figures, never for a decision.
    package var fraction: Double { Double(threshold) / 0x1p53 }

    /// Returns this share of a count, rounded.
    package func share(of count: UInt64) -> UInt64 {
        let (high, low) = threshold.multipliedFullWidth(by: count)
        return (high << 11 | low >> 53) + (low >> 52 & 1)
    }

    package func draw(from random: inout RandomStream) -> Bool {
        // A disabled fault must not advance the stream: switching it on would otherwise reshuffle
        // everything after it.
        guard threshold > 0 else { return false }
        return random.next() >> 11 < threshold
    }
}

extension Probability: Comparable {
    package static func < (left: Probability, right: Probability) -> Bool {
        left.threshold < right.threshold
    }
}

extension Probability: CustomStringConvertible {
    /// The percentage with six decimals, or four significant digits if it is smaller: `2 %`, `0.02
    /// %`.
    package var description: String {
        var places = 6
        var unit: UInt64 = 1_000_000
        var count = self.count(of: unit)
        // A possible event never reads as 0 %.
        while threshold > 0, count < 1_000, places < 17 {
            places += 1
            unit *= 10
            count = self.count(of: unit)
        }
        return decimal(count, per: unit, places: places) + " %"
    }

    /// Returns the chance in these parts of a percent, rounded.
    private func count(of partsOfPercent: UInt64) -> UInt64 {
        let whole: UInt64 = 1 << 53
        let scaled = threshold.multipliedFullWidth(by: 100 * partsOfPercent)
        let (quotient, remainder) = whole.dividingFullWidth((scaled.high, scaled.low))
        return quotient + (remainder >= whole / 2 ? 1 : 0)
    }
}

extension Probability: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try UInt64(from: decoder)
        guard value <= 1 << 53 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a chance above one"))
        }
        threshold = value
    }
    package func encode(to encoder: any Encoder) throws { try threshold.encode(to: encoder) }
}
