package import Quantities

/// Independent loss of each packet with the same chance.
package struct IndependentLoss: Sendable {
    private let chance: Probability
    private var random: RandomStream

    package init(_ chance: Probability, random: RandomStream) {
        self.chance = chance
        self.random = random
    }

    package mutating func accept() -> StageVerdict {
        chance.draw(from: &random) ? .drop(.lost) : .pass
    }
}
