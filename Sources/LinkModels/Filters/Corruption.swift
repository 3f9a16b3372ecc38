package import Quantities

/// Damage to some packets. In simulation it is a mark: the checksum fails at the receiver, and TCP
/// discards the segment (RFC 9293 §3.1).
package struct Corruption: Sendable {
    private let chance: Probability
    private var random: RandomStream

    package init(_ chance: Probability, random: RandomStream) {
        self.chance = chance
        self.random = random
    }

    package mutating func accept() -> StageVerdict {
        chance.draw(from: &random) ? .mark(.corrupted) : .pass
    }
}
