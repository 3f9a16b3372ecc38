package import Quantities

/// A delay that changes at known moments. A packet is delayed as its departure finds the delay;
/// later packets wait behind it if they would overtake.
package struct DelayCourse: Hashable, Sendable {
    /// The delays in nanoseconds at their moments, the first at 0. If the course repeats, the last
    /// step only marks the end of a round.
    package let steps: StepSeries
    package let repeats: Bool
    /// The number of the course among the run's trace files; `nil` if the scenario contains it.
    package var file: Int?
    package let least: TimeSpan
    package let longest: TimeSpan

    package struct Step: Hashable, Sendable {
        package var from: TimeSpan
        package var delay: TimeSpan

        package init(from: TimeSpan, delay: TimeSpan) {
            self.from = from
            self.delay = delay
        }
    }

    /// Makes a course whose last delay stays; `nil` if the moments do not rise from 0.
    package init?(_ steps: [Step]) {
        let moments = steps.map(\.from)
        guard moments.first == .zero, zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        var series = StepSeries()
        for step in steps {
            let moment = step.from.nanoseconds.magnitude
            series.append(after: moment - series.length, step.delay.nanoseconds.magnitude)
        }
        self.init(series, repeats: false)
    }

    /// Makes a course from a trace; `nil` if it does not begin at 0, or has no length.
    package init?(_ steps: StepSeries, repeats: Bool, file: Int? = nil) {
        var walk = StepSeries.Walk()
        guard steps.advance(&walk), walk.place == 0, !repeats || steps.length > 0
        else { return nil }
        var bounds = (least: walk.value, longest: walk.value)
        while steps.advance(&walk), !repeats || walk.place < steps.length {
            bounds.least = min(bounds.least, walk.value)
            bounds.longest = max(bounds.longest, walk.value)
        }
        self.steps = steps
        self.repeats = repeats
        self.file = file
        least = TimeSpan(nanoseconds: Int64(bounds.least))
        longest = TimeSpan(nanoseconds: Int64(bounds.longest))
    }

    /// Every single step.
    package var allSteps: [Step] {
        var all: [Step] = []
        var walk = StepSeries.Walk()
        while steps.advance(&walk) {
            all.append(
                Step(
                    from: TimeSpan(nanoseconds: Int64(walk.place)),
                    delay: TimeSpan(nanoseconds: Int64(walk.value))))
        }
        return all
    }
}

/// A changing delay at work.
struct DelayClock: Sendable {
    private let course: DelayCourse
    private let least: UInt64
    /// The delay until `end`, beyond the least one.
    private var extra: UInt64 = 0
    private var end: UInt64 = 0
    /// The step that begins at `end`.
    private var next = StepSeries.Walk()
    /// The start of the round.
    private var start: UInt64 = 0

    init(_ course: DelayCourse) {
        self.course = course
        least = course.least.nanoseconds.magnitude
        _ = course.steps.advance(&next)
    }

    /// Returns how much longer than the least delay a packet takes that departs at this moment. The
    /// moment must not be before that of the previous call.
    mutating func extra(at departure: UInt64) -> UInt64 {
        let length = course.steps.length
        if course.repeats, departure >= start + 2 * length { skipRounds(to: departure) }
        while departure >= end { takeStep() }
        return extra
    }

    /// Forgets the departures of packets that were dropped.
    mutating func rewind() { self = DelayClock(course) }

    /// Goes to the round of a moment.
    private mutating func skipRounds(to moment: UInt64) {
        start = moment / course.steps.length * course.steps.length
        next = StepSeries.Walk()
        _ = course.steps.advance(&next)
        end = start
    }

    private mutating func takeStep() {
        extra = next.value - least
        let hasNext = course.steps.advance(&next)
        if course.repeats, next.place == course.steps.length {
            skipRounds(to: start + course.steps.length)
        } else {
            end = hasNext ? start + next.place : .max
        }
    }
}
