package import Quantities

/// Loss in bursts that let some packets through, with single losses between the bursts: the chain
/// of netem's `loss state` (Salsano, Ludovici, Ordine and Giannuzzi 2012).
///
///                      p14              p13              p32
///      4 lost alone ◀─────── 1 passes ───────▶ 3 lost ───────▶ 2 passes
///                   ───────▶          ◀───────        ◀───────
///                    always      p31              p23
///
package struct FourStateLoss: Sendable {
    private let options: Options
    private var state = State.gap
    private var random: RandomStream

    private enum State { case gap, passesInBurst, lostInBurst, lostAlone }

    package struct Options: Hashable, Sendable {
        package var gapToBurst: Probability
        package var burstToGap: Probability
        package var lostToPassing: Probability
        package var passingToLost: Probability
        package var gapToLostAlone: Probability

        /// Creates the chain from its chances, in netem's order.
        package init(
            p13: Probability, p31: Probability, p32: Probability, p23: Probability,
            p14: Probability
        ) {
            gapToBurst = p13
            burstToGap = p31
            lostToPassing = p32
            passingToLost = p23
            gapToLostAlone = p14
        }

        /// Whether the chances to leave each state add up to at most 1, and every state that can be
        /// entered can be left.
        package var isChain: Bool {
            let whole = Probability.always.threshold
            return gapToBurst.threshold + gapToLostAlone.threshold <= whole
                && burstToGap.threshold + lostToPassing.threshold <= whole
                && burstToGap != .never
                && (lostToPassing == .never || passingToLost != .never)
        }

        /// The share of packets lost in the long run, from the balance between the states; for
        /// figures, never for a decision.
        var meanLoss: Double {
            let lostInBurst = gapToBurst.fraction / burstToGap.fraction
            let passesInBurst =
                lostToPassing == .never
                ? 0 : lostInBurst * lostToPassing.fraction / passingToLost.fraction
            let lost = lostInBurst + gapToLostAlone.fraction
            return lost / (1 + lost + passesInBurst)
        }
    }

    init(_ options: Options, random: RandomStream) {
        precondition(options.isChain, "\(options) is no chain of four states")
        self.options = options
        self.random = random
    }

    mutating func accept() -> StageVerdict {
        // One draw decides between two exits, so that they exclude each other.
        let number = random.next() >> 11
        switch state {
        case .gap:
            state = Self.choose(
                number, (options.gapToLostAlone, .lostAlone), (options.gapToBurst, .lostInBurst),
                else: .gap)
        case .passesInBurst:
            if number < options.passingToLost.threshold { state = .lostInBurst }
        case .lostInBurst:
            state = Self.choose(
                number, (options.lostToPassing, .passesInBurst), (options.burstToGap, .gap),
                else: .lostInBurst)
        case .lostAlone: state = .gap
        }
        switch state {
        case .gap, .passesInBurst: return .pass
        case .lostInBurst, .lostAlone: return .drop(.lost)
        }
    }

    private static func choose(
        _ number: UInt64, _ first: (chance: Probability, state: State),
        _ second: (chance: Probability, state: State), else rest: State
    ) -> State {
        if number < first.chance.threshold { return first.state }
        return number < first.chance.threshold + second.chance.threshold ? second.state : rest
    }
}
