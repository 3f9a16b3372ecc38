package import Quantities

/// The rate of a radio link as a Markov chain: now and then it moves to the next lower or higher
/// rate, as when a phone is carried about (Wang and Moayeri 1995, with equal chances). It begins at
/// the highest rate, and spends equal times at all of them in the long run.
package struct RateAdaptation: Sendable {
    private let options: Options?
    private let count: Int
    private var index: Int
    private var step: UInt64 = 0

    package struct Options: Hashable, Sendable {
        /// The time from one possible move to the next.
        package var every: TimeSpan
        package var chance: Probability

        package init(every: TimeSpan, chance: Probability) {
            self.every = every
            self.chance = chance
        }
    }

    init(_ options: Options?, count: Int) {
        self.options = options
        self.count = count
        index = count - 1
    }

    /// Returns the place of the rate at a moment, which must not be before the previous one.
    mutating func index(at now: UInt64, _ random: inout RandomStream) -> Int {
        guard let options, count > 1 else { return index }
        let steps = now / options.every.nanoseconds.magnitude
        while step < steps {
            step += 1
            guard options.chance.draw(from: &random) else { continue }
            let isUp = random.next() >> 63 == 1
            index = isUp ? min(index + 1, count - 1) : max(index - 1, 0)
        }
        return index
    }
}
