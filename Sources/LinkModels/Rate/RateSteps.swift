package import Quantities

/// A rate that changes at known moments and may be zero for a while: the wire stops in the middle
/// of a packet and continues later.
package struct RateSteps: Hashable, Sendable {
    /// The steps in order; the first begins at 0.
    package let steps: [Step]
    /// The period after which the steps repeat.
    package let period: TimeSpan?

    package struct Step: Hashable, Sendable {
        package var from: TimeSpan
        /// The rate; `nil` means that nothing is sent.
        package var rate: Bitrate?

        package init(from: TimeSpan, rate: Bitrate?) {
            self.from = from
            self.rate = rate
        }
    }

    /// Makes steps; `nil` if the moments do not rise from 0, or if a packet could wait for ever.
    package init?(_ steps: [Step], period: TimeSpan? = nil) {
        let moments = steps.map(\.from)
        let rises = zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 }
        let isServed = period == nil ? steps.last?.rate != nil : steps.contains { $0.rate != nil }
        guard moments.first == .zero, rises, isServed,
            period.map({ $0 > steps[steps.count - 1].from }) ?? true
        else { return nil }
        self.steps = steps
        self.period = period
    }

    /// Returns the steps with an outage between two moments; `nil` if that is not possible.
    package func interrupted(from: TimeSpan, to: TimeSpan) -> RateSteps? {
        let resumed = steps.last { $0.from <= to }
        let before = steps.filter { $0.from < from }
        let after = steps.filter { $0.from > to }
        let pause = [Step(from: from, rate: nil), Step(from: to, rate: resumed?.rate)]
        return RateSteps(before + pause + after, period: period)
    }

    package var peak: Bitrate { steps.compactMap(\.rate).max() ?? Bitrate(bitsPerSecond: 1) }

    /// Returns the end of sending these bytes from a moment on.
    func end(of size: Int, from begin: UInt64) -> UInt64 {
        var rest = UInt128(size) * 8_000_000_000
        var time = begin
        while true {
            let (rate, end) = rate(at: time)
            if let rate {
                let capacity = UInt128(rate.bitsPerSecond) * UInt128(end - time)
                if capacity >= rest {
                    let perNanosecond = UInt128(rate.bitsPerSecond)
                    return time + UInt64((rest + perNanosecond - 1) / perNanosecond)
                }
                rest -= capacity
            }
            time = end
        }
    }

    /// Returns the rate at a moment, and the start of the next step.
    private func rate(at time: UInt64) -> (Bitrate?, end: UInt64) {
        let round = period.map { $0.nanoseconds.magnitude }
        let offset = round.map { time % $0 } ?? time
        var (low, high) = (0, steps.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if steps[middle].from.nanoseconds.magnitude <= offset {
                low = middle
            } else {
                high = middle
            }
        }
        let end = high < steps.count ? steps[high].from.nanoseconds.magnitude : round
        return (steps[low].rate, end.map { time - offset + $0 } ?? .max)
    }
}
