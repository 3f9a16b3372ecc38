/// The spread of a figure over several runs.
package struct Spread: Hashable, Sendable, Codable {
    package var percentile5: Double
    package var percentile25: Double
    package var median: Double
    package var percentile75: Double
    package var percentile95: Double

    /// Takes the samples in any order; `nil` if there are none.
    package init?(_ samples: [Double]) {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        percentile5 = Self.quantile(0.05, of: sorted)
        percentile25 = Self.quantile(0.25, of: sorted)
        median = Self.quantile(0.5, of: sorted)
        percentile75 = Self.quantile(0.75, of: sorted)
        percentile95 = Self.quantile(0.95, of: sorted)
    }

    /// Returns a quantile of sorted samples, interpolated between the two nearest ones, as NumPy
    /// does by default.
    static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        guard below + 1 < sorted.count else { return sorted[below] }
        return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
    }
}
