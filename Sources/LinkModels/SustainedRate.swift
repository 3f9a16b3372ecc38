package import Quantities

extension LinkPlan {
    /// Returns the rate that a direction sustains without faults: the mean rate, limited by what
    /// TCP achieves with its loss (Mathis et al., 1997: 1.22 segments per round trip, divided by
    /// the root of the loss).
    package func sustainedRate(over roundTrip: TimeSpan) -> Bitrate {
        let rate = min(bottleneck.meanRate, policer?.rate ?? bottleneck.meanRate)
        let loss = Double(meanLoss.threshold) / 0x1p53
        guard loss > 0, roundTrip > .zero else { return rate }
        let bits = 1_448 * 8 * 1.22 / loss.squareRoot() / roundTrip.seconds
        return min(rate, Bitrate(bitsPerSecond: UInt64(max(bits, 1))))
    }
}

extension BottleneckPlan {
    /// The rate of the last step if the steps do not repeat; otherwise the mean over time.
    fileprivate var meanRate: Bitrate {
        if case .shaped(let shaper) = schedule { return shaper.bucket.rate }
        if case .wifi(let options) = schedule { return options.meanRate }
        guard case .steps(let schedule) = schedule else { return rate }
        let steps = schedule.steps
        guard let period = schedule.period else { return steps.last?.rate ?? rate }
        var bits = 0.0
        for (place, step) in steps.enumerated() {
            let end = place + 1 < steps.count ? steps[place + 1].from : period
            bits += Double(step.rate?.bitsPerSecond ?? 0) * (end - step.from).seconds
        }
        return Bitrate(bitsPerSecond: UInt64(max(bits / period.seconds, 1)))
    }
}
