package import Quantities

/// Loss of each packet by itself, with the same chance, whatever became of the packets before it.
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
