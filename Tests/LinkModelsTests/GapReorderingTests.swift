import LinkModels
import Quantities
import Testing

@Suite struct GapReorderingTests {
    private static func options(
        gap: UInt64, chance: Double = 100, correlation: Double = 0
    ) -> GapReordering.Options {
        .init(
            gap: gap, chance: .percent(chance), correlation: .percent(correlation),
            lead: .milliseconds(5))
    }

    @Test(arguments: [1, 2, 5, 100] as [UInt64])
    func `every nth packet comes earlier than the others, by the lead`(gap: UInt64) {
        let early = self.early(Self.options(gap: gap), packets: 1_000)
        #expect(early == Set((1...1_000 / gap).map { $0 * gap - 1 }))
    }

    /// netem draws for every packet after the gap, until one jumps: a geometric wait.
    @Test(arguments: [(5, 25.0), (2, 50.0), (10, 80.0)] as [(UInt64, Double)])
    func `with a chance, gaps are longer by what netem's draws add`(gap: UInt64, chance: Double) {
        let packets: UInt64 = 200_000
        let early = self.early(Self.options(gap: gap, chance: chance), packets: packets)
        let period = Double(gap - 1) + 100 / chance
        let expected = Double(packets) / period
        #expect(abs(Double(early.count) - expected) < 0.02 * expected, "\(early.count)")
        let places = early.sorted()
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= gap })
    }

    @Test func `correlated draws make packets jump together`() {
        func neighbours(_ correlation: Double) -> Double {
            let options = Self.options(gap: 1, chance: 50, correlation: correlation)
            let places = early(options, packets: 100_000)
            return Double(places.count { places.contains($0 + 1) }) / Double(places.count)
        }
        #expect(neighbours(0) < 0.52 && neighbours(60) > 0.62)
    }

    @Test func `such a link says that it does not keep the order`() {
        let plan = LinkPlan.filtered([.gapReordering(Self.options(gap: 5))])
        #expect(!plan.keepsOrder && plan.overtakesOnWay && !plan.keepsDistance)
    }

    /// Returns the packets that came after wire and way alone; the others took the lead longer.
    private func early(_ options: GapReordering.Options, packets: UInt64) -> Set<UInt64> {
        var link = LinkDirection(.filtered([.gapReordering(options)]), seed: 7)
        var early: Set<UInt64> = []
        for number in 0..<packets {
            let sent = Instant(nanoseconds: number * 1_000_000)
            let passage = link.enqueue(1_000, at: sent)
            if passage == .arrives(sent + .milliseconds(11)) {
                early.insert(number)
            } else if passage != .arrives(sent + .milliseconds(16)) {
                Issue.record("packet \(number): \(passage)")
            }
        }
        return early
    }
}
