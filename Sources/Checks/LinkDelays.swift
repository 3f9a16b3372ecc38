import Quantities
import RunLog

/// The changing delay of a link, computed from its terms alone.
struct LinkDelays: Sendable {
    private let steps: StepSeries
    private let repeats: Bool
    private let least: UInt64

    /// Makes the delays of these terms, which may name one of the run's traces; `nil` if the delay
    /// is constant.
    init?(_ terms: LinkTerms, traces: [IncludedTrace]) {
        least = terms.delay.nanoseconds.magnitude
        if let number = terms.delayTrace {
            guard traces.indices.contains(number), traces[number].kind == .delays,
                traces[number].steps.length > 0
            else { return nil }
            steps = traces[number].steps
            repeats = true
        } else {
            guard let given = terms.delaySteps, !given.isEmpty else { return nil }
            var steps = StepSeries()
            for step in given {
                let moment = step.from.nanoseconds.magnitude
                guard moment >= steps.length else { return nil }
                steps.append(after: moment - steps.length, step.delay.nanoseconds.magnitude)
            }
            self.steps = steps
            repeats = false
        }
    }

    /// Returns the earliest arrival of a packet that leaves at a moment or later: a packet that
    /// leaves later may find a shorter delay.
    func earliestArrival(leaving moment: UInt64) -> UInt64 {
        let length = steps.length
        var round = repeats ? moment / length * length : 0
        var walk = steps.walk(upTo: moment - round)
        var earliest = moment + walk.value
        while true {
            let isMore = steps.advance(&walk)
            if repeats, walk.place == length {
                round += length
                walk = StepSeries.Walk()
                _ = steps.advance(&walk)
            } else if !isMore {
                return earliest
            }
            let begin = round + walk.place
            guard begin + least < earliest else { return earliest }
            earliest = min(earliest, begin + walk.value)
        }
    }
}
