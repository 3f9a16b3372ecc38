import LinkModels
import Quantities
import Testing

@Suite struct ReorderingTests {
    @Test func `as many packets as asked for come later by just the hold, and the others on time`()
    {
        let hold = TimeSpan.milliseconds(5)
        let plan = LinkPlan.filtered([.reordering(.init(chance: .percent(3), hold: hold))])
        #expect(!plan.keepsOrder)
        var link = LinkDirection(plan, seed: 7)
        var held = 0
        for number in 0..<100_000 as Range<UInt64> {
            let sent = Instant(nanoseconds: number * 1_000_000)
            let passage = link.enqueue(1_000, at: sent)
            if passage == .arrives(sent + .milliseconds(16)) {
                held += 1
            } else {
                #expect(passage == .arrives(sent + .milliseconds(11)))
            }
        }
        #expect(abs(held - 3_000) < 275, "\(held)")
    }
}
