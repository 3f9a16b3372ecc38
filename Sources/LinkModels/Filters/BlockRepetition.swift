package import Quantities

/// Damaged blocks that a radio sends again, as HARQ in LTE and 5G: each time a block is damaged,
/// its packet comes later. Order is kept.
package struct BlockRepetition: Sendable {
    let options: Options
    private(set) var random: RandomStream

    package struct Options: Hashable, Sendable {
        /// The chance of each sending of a block to fail.
        package let chance: Probability
        /// The time until the block is sent again.
        package let by: TimeSpan

        package init(chance: Probability, by: TimeSpan) {
            self.chance = chance
            self.by = by
        }
    }

    /// A block that has failed this often gets through: the layer above HARQ repeats it.
    static let mostFailures: Int64 = 8

    mutating func accept() -> StageVerdict {
        var failures: Int64 = 0
        while failures < Self.mostFailures, options.chance.draw(from: &random) { failures += 1 }
        return failures == 0 ? .pass : .delay(options.by * failures)
    }
}
