package import Quantities

/// Some packets arrive damaged. In simulation it is a mark: the receiver's checksum will not fit,
/// and TCP discards the segment (RFC 9293 §3.1).
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
