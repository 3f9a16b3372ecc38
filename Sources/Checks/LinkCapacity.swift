import Quantities
import RunLog

/// The capacity of a link with a changing rate between two moments, computed from its terms alone.
struct LinkCapacity: Sendable {
    private let steps: [LinkTerms.RateStep]
    private let period: UInt64?
    /// The capacity before each step, in bits times 10⁹, and of a whole period.
    private var before: [UInt128] = []
    private var wholePeriod: UInt128 = 0

    /// Makes the capacity of these terms; `nil` if the rate is constant.
    init?(_ terms: LinkTerms) {
        guard let steps = terms.rateSteps, !steps.isEmpty else { return nil }
        self.steps = steps
        period = terms.ratePeriod?.nanoseconds.magnitude
        var sum: UInt128 = 0
        for (index, step) in steps.enumerated() {
            before.append(sum)
            let end = index + 1 < steps.count ? Self.moment(steps[index + 1]) : period
            guard let end else { break }
            sum += Self.carried(by: step, in: end - Self.moment(step))
        }
        wholePeriod = sum
    }

    /// Whether a packet of this size can have been sent between two moments.
    func suffices(for size: UInt16, from begin: UInt64, to end: UInt64) -> Bool {
        guard end >= begin else { return false }
        return total(to: end) - total(to: begin) >= UInt128(size) * 8_000_000_000
    }

    /// Returns what the link can carry between two moments.
    func bits(from begin: UInt64, to end: UInt64) -> Double {
        Double(total(to: end) - total(to: begin)) / 1e9
    }

    /// Returns the earliest end of sending these bytes from a moment on.
    func earliestEnd(of size: UInt64, from begin: UInt64) -> UInt64 {
        var needed = total(to: begin) + UInt128(size) * 8_000_000_000
        var round: UInt64 = 0
        if let period, wholePeriod > 0 {
            let rounds = UInt64((needed - 1) / wholePeriod)
            needed -= UInt128(rounds) * wholePeriod
            round = rounds * period
        }
        let index = before.lastIndex { $0 < needed } ?? 0
        let rate = UInt128(steps[index].rate?.bitsPerSecond ?? 1)
        let inStep = (needed - before[index] + rate - 1) / rate
        return round + Self.moment(steps[index]) + UInt64(inStep)
    }

    /// Returns the capacity from 0 to a moment.
    private func total(to time: UInt64) -> UInt128 {
        let rounds = period.map { time / $0 } ?? 0
        let offset = period.map { time % $0 } ?? time
        let index = steps.lastIndex { Self.moment($0) <= offset } ?? 0
        return UInt128(rounds) * wholePeriod + before[index]
            + Self.carried(by: steps[index], in: offset - Self.moment(steps[index]))
    }

    private static func moment(_ step: LinkTerms.RateStep) -> UInt64 {
        step.from.nanoseconds.magnitude
    }

    private static func carried(by step: LinkTerms.RateStep, in span: UInt64) -> UInt128 {
        UInt128(step.rate?.bitsPerSecond ?? 0) * UInt128(span)
    }
}
