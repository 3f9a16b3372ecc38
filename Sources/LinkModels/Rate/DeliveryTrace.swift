package import Quantities

/// The chances of a link to deliver, in mahimahi's format (Netravali et al. 2015): each line is the
/// millisecond of a chance. A chance carries up to 1500 bytes at its moment. The trace repeats
/// after its last chance.
package struct DeliveryTrace: Hashable, Sendable {
    /// The moments with chances, in milliseconds; the values are numbers of chances.
    package let moments: StepSeries
    /// The number of the trace among the run's trace files; `nil` if the scenario contains it.
    package var file: Int?

    /// The bytes of a chance.
    package static let chanceSize = 1_500

    /// Makes a trace; `nil` if it is empty, ends at 0 and so could not repeat, or lasts longer than
    /// seven weeks.
    package init?(_ moments: StepSeries, file: Int? = nil) {
        guard moments.length > 0, moments.length <= UInt32.max else { return nil }
        self.moments = moments
        self.file = file
    }

    /// Makes a trace of single chances; `nil` if they decrease, or make no trace.
    package init?(_ chances: [UInt64]) {
        var builder = Builder()
        guard chances.allSatisfy({ builder.append($0) }) else { return nil }
        self.init(builder.finish())
    }

    /// Joins chances of the same millisecond.
    struct Builder: Sendable {
        private var moments = StepSeries()
        private(set) var latest: UInt64 = 0
        /// The chances at the latest millisecond.
        private var count: UInt64 = 0

        /// Adds a chance; returns false if it comes before the latest one.
        mutating func append(_ millisecond: UInt64) -> Bool {
            guard millisecond >= latest else { return false }
            if millisecond > latest { finishMoment() }
            latest = millisecond
            count += 1
            return true
        }

        private mutating func finishMoment() {
            guard count > 0 else { return }
            moments.append(after: latest - moments.length, count)
            count = 0
        }

        mutating func finish() -> StepSeries {
            finishMoment()
            return moments
        }
    }

    /// The mean rate, rounded down.
    package var meanRate: Bitrate {
        let bits = moments.total.multipliedFullWidth(by: UInt64(Self.chanceSize * 8 * 1_000))
        let mean = moments.length.dividingFullWidth((bits.high, bits.low)).quotient
        return Bitrate(bitsPerSecond: max(1, mean))
    }

    /// Every single chance.
    package var chances: [UInt64] {
        var chances: [UInt64] = []
        var walk = StepSeries.Walk()
        while moments.advance(&walk) {
            chances += Array(repeating: walk.place, count: Int(walk.value))
        }
        return chances
    }

    /// A link's position in the trace.
    struct Position: Sendable {
        /// The start of the round in nanoseconds.
        var start: UInt64 = 0
        var walk = StepSeries.Walk()
        /// The bytes left of the chances of this moment.
        var left: UInt64 = 0
    }

    /// Returns the end of sending these bytes from a moment on. The moment must not be before that
    /// of the previous call.
    func end(of size: Int, from begin: UInt64, _ position: inout Position) -> UInt64 {
        if moment(of: position) < begin { skip(to: begin, &position) }
        var rest = UInt64(size)
        while position.left < rest {
            rest -= position.left
            advance(&position)
        }
        position.left -= rest
        let end = moment(of: position)
        if position.left == 0 { advance(&position) }
        return end
    }

    /// Moves to the first chance that is not before a moment.
    private func skip(to begin: UInt64, _ position: inout Position) {
        let start = (begin - 1) / length * length
        if start > position.start || begin - moment(of: position) > Self.near {
            // Steps up to the millisecond before are over.
            let walk = moments.walk(upTo: (begin - start - 1) / Self.millisecond)
            position = Position(start: start, walk: walk)
        }
        while position.left == 0 || moment(of: position) < begin { advance(&position) }
    }

    private func advance(_ position: inout Position) {
        if !moments.advance(&position.walk) {
            position.start += length
            position.walk = StepSeries.Walk()
            _ = moments.advance(&position.walk)
        }
        position.left = position.walk.value * UInt64(Self.chanceSize)
    }

    private func moment(of position: Position) -> UInt64 {
        position.start + position.walk.place * Self.millisecond
    }

    /// The length of a round.
    private var length: UInt64 { moments.length * Self.millisecond }

    private static let millisecond: UInt64 = 1_000_000
    /// A distance over which the steps are taken one by one.
    private static let near = 200 * millisecond
}
