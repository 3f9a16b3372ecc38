import LinkModels
import Quantities
import Testing

@Suite struct DropHeadTests {
    @Test func `the oldest of those that wait makes room for the newest`() {
        let bench = QueueBench(.dropHead, limit: 4_500)
        for _ in 0..<6 { bench.offer(at: .start) }
        bench.play(until: .start + .seconds(1))
        // Packet 0 was being sent already.
        #expect(bench.order == [0, 3, 4, 5])
        #expect(bench.dropped.keys.sorted() == [1, 2])
    }

    @Test func `a queue of so many packets takes so many of any size`() {
        var plan = LinkPlan.filtered([])
        plan.bottleneck.queue = .dropTailPackets(2)
        var link = LinkDirection(plan, seed: 1)
        let passages = [1_500, 100, 1_400, 40].map { link.enqueue($0, at: .start) }
        #expect(passages[2] == .arrives(Instant(nanoseconds: 13_000_000)))
        #expect(passages[3] == .dropped(.queueFull))
    }
}
