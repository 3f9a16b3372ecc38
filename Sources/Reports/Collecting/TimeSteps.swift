import Quantities

/// The figures of a step of time.
protocol TimeStep: Sendable {
    init()
    /// The step after this one, before anything has happened in it.
    var next: Self { get }
    /// Adds the figures of the step after this one.
    mutating func merge(_ later: Self)
}

/// Figures over time in equal steps, whose width doubles if there would be too many.
struct TimeSteps<Step: TimeStep>: Sendable {
    static var firstWidth: TimeSpan { .milliseconds(10) }

    private(set) var steps: [Step] = []
    let limit: Int
    private let beginNanoseconds: UInt64
    private var widthNanoseconds = UInt64(Self.firstWidth.nanoseconds)
    /// The latest step; most packets belong to the same one.
    private var current = 0
    private var currentBegin: UInt64

    init(limit: Int, from begin: UInt64 = 0) {
        self.limit = limit
        beginNanoseconds = begin
        currentBegin = begin
    }

    var begin: Instant { Instant(nanoseconds: beginNanoseconds) }

    var width: TimeSpan { TimeSpan(nanoseconds: Int64(widthNanoseconds)) }

    /// The step of a moment.
    subscript(at nanoseconds: UInt64) -> Step {
        @inline(__always) mutating get {
            turn(to: nanoseconds)
            return steps[current]
        }
        @inline(__always) _modify {
            turn(to: nanoseconds)
            yield &steps[current]
        }
    }

    /// Returns steps wide enough to reach up to a moment, even after a long silence.
    func reaching(_ end: Instant) -> TimeSteps {
        var steps = self
        while steps.place(of: end.nanoseconds) >= limit { steps.widen() }
        return steps
    }

    @inline(__always)
    private mutating func turn(to nanoseconds: UInt64) {
        if nanoseconds &- currentBegin >= widthNanoseconds || steps.isEmpty {
            move(to: nanoseconds)
        }
    }

    private mutating func move(to nanoseconds: UInt64) {
        while place(of: nanoseconds) >= limit { widen() }
        current = place(of: nanoseconds)
        currentBegin = beginNanoseconds + UInt64(current) * widthNanoseconds
        while steps.count <= current { steps.append(steps.last?.next ?? Step()) }
    }

    /// Returns the place of a moment's step; a moment before the first step belongs to the first.
    private func place(of nanoseconds: UInt64) -> Int {
        Int((max(nanoseconds, beginNanoseconds) - beginNanoseconds) / widthNanoseconds)
    }

    private mutating func widen() {
        widthNanoseconds *= 2
        for place in 0..<(steps.count + 1) / 2 {
            steps[place] = steps[2 * place]
            let right = 2 * place + 1
            if right < steps.count { steps[place].merge(steps[right]) }
        }
        steps.removeLast(steps.count / 2)
        current = place(of: currentBegin)
        currentBegin = beginNanoseconds + UInt64(current) * widthNanoseconds
    }
}

/// A sum over each step, such as the bytes of its packets.
extension UInt64: TimeStep {
    var next: UInt64 { 0 }
    mutating func merge(_ later: UInt64) { self += later }
}

/// A quantity that stays until it changes: the largest value of a step, and the one at its end.
struct LevelStep: TimeStep {
    private(set) var largest: UInt64 = 0
    private var last: UInt64 = 0

    init() {}

    var next: LevelStep {
        var step = self
        step.largest = last
        return step
    }

    mutating func merge(_ later: LevelStep) {
        largest = max(largest, later.largest)
        last = later.last
    }

    mutating func set(_ value: UInt64) {
        last = value
        largest = max(largest, value)
    }
}
