package import Quantities

/// Reordering like netem's `reorder CHANCE CORRELATION gap N`: at most every n-th packet jumps
/// ahead. All other packets take the lead longer, and so arrive after it.
package struct GapReordering: Sendable {
    private let options: Options
    /// Packets since the last one that jumped ahead.
    private var passed: UInt64 = 0
    private var draw: CorrelatedDraw

    package struct Options: Hashable, Sendable {
        package var gap: UInt64
        package var chance: Probability
        package var correlation: Probability
        package var lead: TimeSpan

        package init(gap: UInt64, chance: Probability, correlation: Probability, lead: TimeSpan) {
            self.gap = gap
            self.chance = chance
            self.correlation = correlation
            self.lead = lead
        }
    }

    init(_ options: Options, random: RandomStream) {
        precondition(options.gap > 0, "a gap of no packets")
        self.options = options
        draw = CorrelatedDraw(
            chance: options.chance, correlation: options.correlation, random: random)
    }

    /// `netem_enqueue` of net/sched/sch_netem.c.
    mutating func accept() -> StageVerdict {
        guard passed >= options.gap - 1, draw.next() else {
            passed += 1
            return .holdBack(options.lead)
        }
        passed = 0
        return .pass
    }
}
