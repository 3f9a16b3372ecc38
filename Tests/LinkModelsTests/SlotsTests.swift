import LinkModels
import Quantities
import Testing

/// Packets of 100 bytes at a byte a microsecond, ten milliseconds on the way, then slots.
@Suite struct SlotsTests {
    @Test func `packets are gathered until the slot opens, and come together`() {
        let slots = Slots.Options(shortest: .milliseconds(5), longest: .milliseconds(5))
        // The first, at 10.1 ms, opens a slot at 15.1 ms; what comes later begins another.
        let moments = [0, 1_000, 4_900, 5_000, 5_100, 9_000].map { UInt64($0) }
        #expect(
            arrivals(slots, sentAt: moments) == [15_100, 15_100, 15_100, 15_100, 20_200, 20_200])
    }

    @Test func `a slot carries its packets, and leaves the rest to the next`() {
        var slots = Slots.Options(shortest: .milliseconds(5), longest: .milliseconds(5))
        slots.packets = 2
        let moments = [UInt64](repeating: 0, count: 5)
        #expect(arrivals(slots, sentAt: moments) == [15_100, 15_100, 20_100, 20_100, 25_100])
    }

    @Test func `a slot ends with the packet that reaches its bytes`() {
        var slots = Slots.Options(shortest: .milliseconds(5), longest: .milliseconds(5))
        slots.bytes = ByteCount(250)
        let moments = [UInt64](repeating: 0, count: 5)
        #expect(
            arrivals(slots, sentAt: moments) == [15_100, 15_100, 15_100, 20_100, 20_100])
    }

    @Test func `the time to the next slot is uniform between its bounds`() {
        let slots = Slots.Options(
            shortest: .milliseconds(2), longest: .milliseconds(6), packets: 1)
        let moments = arrivals(slots, sentAt: [UInt64](repeating: 0, count: 20_000))
        let waits = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(waits.allSatisfy { (2_000...6_000).contains($0) })
        let mean = Double(waits.reduce(0, +)) / Double(waits.count)
        #expect(abs(mean - 4_000) < 25, "\(mean)")
        #expect((waits.min() ?? 0) < 2_010 && (waits.max() ?? 0) > 5_990)
    }

    private func arrivals(_ slots: Slots.Options, sentAt moments: [UInt64]) -> [UInt64] {
        var plan = LinkPlan.filtered([])
        plan.slots = slots
        var link = LinkDirection(plan, seed: 7)
        return moments.map { moment in
            let passage = link.enqueue(100, at: Instant(nanoseconds: moment * 1_000))
            guard case .arrives(let arrival, _) = passage else { return 0 }
            return arrival.nanoseconds / 1_000
        }
    }
}
