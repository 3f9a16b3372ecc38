package import Quantities

/// Random extra delay on top of the link's least delay.
/// Order is kept: a packet that would overtake waits for the packet before it.
package struct Jitter: Sendable {
    let distribution: Distribution
    private(set) var random: RandomStream

    package enum Distribution: Hashable, Sendable {
        /// A uniform delay up to this.
        case uniform(TimeSpan)
        /// A normal delay; negative values count as zero.
        case normal(mean: TimeSpan, deviation: TimeSpan)
        /// A Pareto delay with shape 3, as in netem: mostly short, sometimes very long.
        case pareto(mean: TimeSpan)
    }

    mutating func accept() -> StageVerdict {
        let number = random.next()
        switch distribution {
        case .uniform(let longest):
            let choices = longest.nanoseconds.magnitude + 1
            return .delay(
                TimeSpan(nanoseconds: Int64(number.multipliedFullWidth(by: choices).high)))
        case .normal(let mean, let deviation):
            let quantile = QuantileTable.quantile(QuantileTable.normal, at: number)
            let distance = Self.share(quantile, of: deviation)
            // The 41st bit chooses the side of the mean.
            let isBelow = number >> 40 & 1 == 1
            let span = isBelow ? mean - distance : mean + distance
            return .delay(max(span, .zero))
        case .pareto(let mean):
            let quantile = QuantileTable.quantile(QuantileTable.pareto, at: number)
            return .delay(Self.share(2 * quantile, of: mean))
        }
    }

    private static func share(_ quantile: Int64, of span: TimeSpan) -> TimeSpan {
        let product = span.nanoseconds.multipliedFullWidth(by: quantile)
        return TimeSpan(
            nanoseconds: QuantileTable.unit.dividingFullWidth((product.high, product.low)).quotient)
    }
}
