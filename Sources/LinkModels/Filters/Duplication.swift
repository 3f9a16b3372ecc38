package import Quantities

/// Duplication of some packets: the copy follows its packet through the same queue.
package struct Duplication: Sendable {
    private let chance: Probability
    private var random: RandomStream

    package init(_ chance: Probability, random: RandomStream) {
        self.chance = chance
        self.random = random
    }

    package mutating func accept() -> StageVerdict {
        chance.draw(from: &random) ? .mark(.duplicated) : .pass
    }
}
