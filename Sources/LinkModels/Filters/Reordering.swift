package import Quantities

/// Reordering: some packets are held back, and later packets overtake them.
package struct Reordering: Sendable {
    private let options: Options
    private var random: RandomStream

    package struct Options: Hashable, Sendable {
        package var chance: Probability
        package var hold: TimeSpan

        package init(chance: Probability, hold: TimeSpan) {
            self.chance = chance
            self.hold = hold
        }
    }

    package init(_ options: Options, random: RandomStream) {
        self.options = options
        self.random = random
    }

    package mutating func accept() -> StageVerdict {
        options.chance.draw(from: &random) ? .holdBack(options.hold) : .pass
    }
}
