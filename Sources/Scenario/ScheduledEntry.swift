import LinkModels
package import Quantities
package import RunPlan

/// A timeline entry of a file: it may happen often, or at moments drawn from a run's seed.
package struct ScheduledEntry: Hashable, Sendable {
    package enum Occasion: Hashable, Sendable {
        case at(TimeSpan)
        /// At regular intervals from the window's start to its end.
        case every(TimeSpan, Window)
        /// This often within the window, at equally likely moments.
        case byChance(Int, Window)
        /// At any moment, this far apart on average.
        case about(TimeSpan, Window)
        case when(TimelineCondition, after: TimeSpan, Occurrence)
    }

    package struct Window: Hashable, Sendable {
        package var from: TimeSpan
        package var to: TimeSpan
    }

    package enum Occurrence: Hashable, Sendable {
        /// The first time.
        case first
        /// Only this time, counted from 1.
        case number(Int)
        /// Every time, at least once.
        case each
        /// Every time, if any.
        case whenever
    }

    package var occasion: Occasion
    package var action: TimelineEntry.Action

    /// Returns the entries of a run with this seed; `number` is the place in the timeline, from 1.
    func entries(number: Int, seed: UInt64, limit: TimeSpan) -> [TimelineEntry] {
        switch occasion {
        case .at(let time): return [TimelineEntry(at: .start + time, action)]
        case .when(let condition, let delay, let occurrence):
            return [
                TimelineEntry(.when(condition, after: delay, occurrence.meeting), action)
            ]
        case .every, .byChance, .about:
            var random = RandomStream(seed: seed, name: "timeline/\(number)")
            return moments(&random).filter { $0 < limit }.sorted()
                .map { TimelineEntry(at: .start + $0, action) }
        }
    }

    private func moments(_ random: inout RandomStream) -> [TimeSpan] {
        switch occasion {
        case .at, .when: return []
        case .every(let period, let window):
            return Array(
                sequence(first: window.from) { $0 + period }.prefix { $0 <= window.to })
        case .byChance(let count, let window):
            let length = UInt64((window.to - window.from).nanoseconds)
            return (0..<count).map { _ in
                window.from + TimeSpan(nanoseconds: Int64(random.below(length)))
            }
        case .about(let mean, let window):
            var moments: [TimeSpan] = []
            var next = window.from + Self.pause(mean, &random)
            while next <= window.to {
                moments.append(next)
                next = next + Self.pause(mean, &random)
            }
            return moments
        }
    }

    /// Returns an exponentially distributed pause, from a table: past pauses do not matter.
    private static func pause(_ mean: TimeSpan, _ random: inout RandomStream) -> TimeSpan {
        let quantile = QuantileTable.quantile(QuantileTable.exponential, at: random.next())
        let scaled = mean.nanoseconds.multipliedFullWidth(by: quantile)
        let pause = QuantileTable.unit.dividingFullWidth(scaled).quotient
        return TimeSpan(nanoseconds: max(1, pause))
    }
}

extension ScheduledEntry.Occurrence {
    fileprivate var meeting: TimelineEntry.Meeting {
        switch self {
        case .first: .first
        case .number(let number): .number(number)
        case .each, .whenever: .every
        }
    }
}

extension ScheduledEntry.Occasion {
    var condition: TimelineCondition? {
        if case .when(let condition, _, _) = self { condition } else { nil }
    }

    var isWhenever: Bool {
        if case .when(_, _, .whenever) = self { true } else { false }
    }

    /// The time of an entry that has a fixed one.
    var time: TimeSpan? {
        if case .at(let time) = self { time } else { nil }
    }
}
