package import Quantities

extension LinkPlan {
    /// What a direction carries in the long run when nothing is broken: the mean of a rate that
    /// changes, and no more than TCP gets through its losses (Mathis et al., 1997: 1.22 segments a
    /// round trip, divided by the root of the loss).
    package func sustainedRate(over roundTrip: TimeSpan) -> Bitrate {
        let rate = bottleneck.meanRate
        let loss = Double(meanLoss.threshold) / 0x1p53
        guard loss > 0, roundTrip > .zero else { return rate }
        let bits = 1_448 * 8 * 1.22 / loss.squareRoot() / roundTrip.seconds
        return min(rate, Bitrate(bitsPerSecond: UInt64(max(bits, 1))))
    }
}

extension BottleneckPlan {
    /// Of steps that do not come again, the last; otherwise the mean over time.
    fileprivate var meanRate: Bitrate {
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
