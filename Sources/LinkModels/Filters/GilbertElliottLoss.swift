package import Quantities

/// Loss in bursts: a two-state chain that moves once per packet (Gilbert 1960, Elliott 1963).
///
///              p
///      good ──────▶ bad
///           ◀──────
///              r
///
/// With the defaults (nothing is lost in *good*, everything in *bad*) mean loss is p / (p + r), and
/// a burst lasts 1 / r packets on average.
package struct GilbertElliottLoss: Sendable {
    let options: Options
    private(set) var random: RandomStream
    private(set) var isBad = false

    package struct Options: Hashable, Sendable {
        package var goodToBad: Probability
        package var badToGood: Probability
        package var lossInGood = Probability.never
        package var lossInBad = Probability.always

        package init(goodToBad: Probability, badToGood: Probability) {
            self.goodToBad = goodToBad
            self.badToGood = badToGood
        }

        /// The share of packets lost in the long run; for figures, never for a decision.
        var meanLoss: Double {
            // A chain that never moves stays in its first state.
            guard goodToBad != .never else { return lossInGood.fraction }
            let bad = goodToBad.fraction / (goodToBad.fraction + badToGood.fraction)
            return (1 - bad) * lossInGood.fraction + bad * lossInBad.fraction
        }
    }

    mutating func accept() -> StageVerdict {
        if isBad {
            if options.badToGood.draw(from: &random) { isBad = false }
        } else {
            if options.goodToBad.draw(from: &random) { isBad = true }
        }
        let loss = isBad ? options.lossInBad : options.lossInGood
        return loss.draw(from: &random) ? .drop(.lost) : .pass
    }
}
