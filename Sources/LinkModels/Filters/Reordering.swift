package import Quantities

/// Reordering: some packets are held back, and later packets overtake them.
package struct Reordering: Hashable, Sendable {
    package let chance: Probability
    package let hold: TimeSpan

    package init(chance: Probability, hold: TimeSpan) {
        self.chance = chance
        self.hold = hold
    }
}
