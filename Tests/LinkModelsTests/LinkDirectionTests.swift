import LinkModels
import Quantities
import Testing

@Suite struct LinkDirectionTests {
    /// 8 Mbit/s: one byte a microsecond.
    private static func link(queue: UInt64, losing: [Probability] = []) -> LinkPlan {
        LinkPlan(
            name: "uplink", filters: losing.map(FilterPlan.independentLoss),
            delay: .milliseconds(10),
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), queue: .dropTail(limit: ByteCount(queue))))
    }

    private static func microseconds(_ count: UInt64) -> Instant {
        Instant(nanoseconds: count * 1_000)
    }

    @Test func `a packet arrives after its own sending, those before it, and the way`() {
        var link = LinkDirection(Self.link(queue: 64_000), seed: 1)
        #expect(link.enqueue(1_500, at: .start) == .arrives(Self.microseconds(11_500)))
        #expect(link.enqueue(52, at: .start) == .arrives(Self.microseconds(11_552)))
        #expect(
            link.enqueue(1_000, at: Self.microseconds(500))
                == .arrives(Self.microseconds(12_552)))
        // The wire has been idle since 2552 µs.
        #expect(
            link.enqueue(100, at: Self.microseconds(4_000)) == .arrives(Self.microseconds(14_100)))
    }

    @Test
    func `the queue drops exactly what does not fit, and the packet being sent does not count`() {
        var link = LinkDirection(Self.link(queue: 3_000), seed: 1)
        #expect(link.enqueue(1_500, at: .start) == .arrives(Self.microseconds(11_500)))
        #expect(link.enqueue(1_500, at: .start) == .arrives(Self.microseconds(13_000)))
        #expect(link.enqueue(1_500, at: .start) == .arrives(Self.microseconds(14_500)))
        #expect(link.enqueue(1, at: .start) == .dropped(.queueFull))
        // At 1500 µs the second begins to be sent: 1500 bytes are free, not one more.
        #expect(link.enqueue(1, at: Self.microseconds(1_499)) == .dropped(.queueFull))
        #expect(link.enqueue(1_501, at: Self.microseconds(1_500)) == .dropped(.queueFull))
        #expect(
            link.enqueue(1_500, at: Self.microseconds(1_500))
                == .arrives(Self.microseconds(16_000)))
    }

    @Test func `a packet that a filter loses takes no place in the queue`() {
        var link = LinkDirection(Self.link(queue: 3_000, losing: [.always]), seed: 1)
        for _ in 0..<10 { #expect(link.enqueue(1_500, at: .start) == .dropped(.lost)) }
    }

    @Test func `a queue that has grown keeps its order and its count`() {
        var link = LinkDirection(Self.link(queue: 1_000_000), seed: 1)
        var accepted: UInt64 = 0
        while case .arrives(let arrival, _) = link.enqueue(1_000, at: .start) {
            accepted += 1
            #expect(arrival == Self.microseconds(10_000 + 1_000 * accepted))
        }
        #expect(accepted == 1_001)
    }
}
