import Quantities

/// The same fate for some packets, each chosen independently with the same chance.
///
/// Loss drops the packet. Corruption marks it: the checksum fails at the receiver, and TCP discards
/// the segment (RFC 9293 §3.1). The copy of a duplicated packet follows through the same queue.
/// Reordering holds the packet back, and later packets overtake it.
struct ChanceFilter: Sendable {
    let chance: Probability
    let verdict: StageVerdict
    private(set) var random: RandomStream

    mutating func accept() -> StageVerdict {
        chance.draw(from: &random) ? verdict : .pass
    }
}
