import Quantities

/// The median change of a figure from A to B over paired runs, and its 95 % confidence interval.
///
/// The two runs of a pair have the same scenario, case and seed. With one pair the interval is a
/// point, because simulated runs are exact.
package struct PairedChange: Hashable, Sendable, Codable {
    package var pairs: Int
    package var median: Double
    package var low: Double
    package var high: Double
    /// Whether changes are shares of A: 0.1 is 10 % more. Otherwise they are differences, because
    /// the figure is 0 in a run of A.
    package var isRelative: Bool

    private static let resamples = 1_000

    /// Returns `nil` if there are no pairs. The bootstrap draws from a random stream with this
    /// name, so that the same runs have the same interval each time.
    package init?(_ pairs: [(before: Double, after: Double)], stream name: String) {
        guard !pairs.isEmpty else { return nil }
        let isRelative = pairs.allSatisfy { $0.before != 0 }
        let changes = pairs.map { before, after in
            isRelative ? (after - before) / before.magnitude : after - before
        }.sorted()
        self.isRelative = isRelative
        self.pairs = pairs.count
        median = Spread.quantile(0.5, of: changes)
        (low, high) = Self.interval(of: changes, stream: name)
    }

    /// Returns the percentile bootstrap of the median.
    private static func interval(
        of changes: [Double], stream name: String
    ) -> (low: Double, high: Double) {
        let (least, most) = (changes[0], changes[changes.count - 1])
        guard least < most else { return (least, most) }
        var random = RandomStream(seed: 1, name: "bootstrap/" + name)
        var places = changes.map { _ in 0 }
        let medians = (0..<resamples).map { _ in
            for place in places.indices { places[place] = Int(random.below(UInt64(changes.count))) }
            places.sort()
            return Spread.quantile(0.5, of: places.map { changes[$0] })
        }.sorted()
        return (Spread.quantile(0.025, of: medians), Spread.quantile(0.975, of: medians))
    }
}
