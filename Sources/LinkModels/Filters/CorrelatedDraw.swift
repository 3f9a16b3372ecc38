import Quantities

/// Draws like netem's, where each random number is mixed with the previous one.
struct CorrelatedDraw: Sendable {
    private let chance: Probability
    private let correlation: Probability
    private var last: UInt64
    private var random: RandomStream

    init(chance: Probability, correlation: Probability, random: RandomStream) {
        self.chance = chance
        self.correlation = correlation
        self.random = random
        last = self.random.next() >> 32
    }

    /// `get_crandom` of net/sched/sch_netem.c, with 32 bits as there.
    mutating func next() -> Bool {
        let fresh = random.next() >> 32
        let weight = correlation.threshold >> 21
        last = (fresh * ((1 << 32) - weight) + last * weight) >> 32
        return last < chance.threshold >> 21
    }
}
