import LinkModels
import Quantities
import Testing

@Suite struct DeliveryTraceTests {
    @Test func `each chance carries 1500 bytes, of one packet or of several`() throws {
        var link = try link([2, 2, 5])
        #expect(link.enqueue(1_500, at: .start) == arrives(milliseconds: 2))
        // Half of the second chance, then the other half; what is too much waits for the third.
        #expect(link.enqueue(750, at: .start) == arrives(milliseconds: 2))
        #expect(link.enqueue(500, at: .start) == arrives(milliseconds: 2))
        #expect(link.enqueue(1_000, at: .start) == arrives(milliseconds: 5))
        #expect(link.enqueue(750, at: .start) == arrives(milliseconds: 5))
        // The third is full to the byte.
        #expect(link.enqueue(1, at: .start) == arrives(milliseconds: 7))
    }

    @Test func `a chance that nobody uses is lost`() throws {
        var link = try link([2, 2, 5])
        #expect(link.enqueue(100, at: .start) == arrives(milliseconds: 2))
        #expect(link.enqueue(100, at: .start + .milliseconds(3)) == arrives(milliseconds: 5))
        #expect(link.enqueue(1_500, at: .start + .milliseconds(6)) == arrives(milliseconds: 7))
    }

    @Test func `after its last chance the trace begins again, that much later`() throws {
        var link = try link([2, 2, 5])
        let moments: [UInt64] = [2, 2, 5, 7, 7, 10, 12, 12, 15]
        for moment in moments {
            #expect(link.enqueue(1_500, at: .start) == arrives(milliseconds: moment))
        }
        // A thousand rounds later, at a chance's own moment.
        #expect(
            link.enqueue(1_500, at: .start + .milliseconds(5_000)) == arrives(milliseconds: 5_000))
        #expect(
            link.enqueue(1_500, at: .start + .milliseconds(5_001)) == arrives(milliseconds: 5_002))
    }

    @Test func `a trace with the shape of a public one carries all its chances, round after round`()
        throws
    {
        // As the recordings of cells are: many chances in one millisecond, silences, and an end
        // that is no round number.
        var random = RandomStream(seed: 7, name: "trace")
        var chances: [UInt64] = []
        var moment: UInt64 = 0
        while moment < 140_003 {
            moment += random.next() % 8 == 0 ? random.next() % 900 : random.next() % 3
            chances += Array(repeating: moment, count: 1 + Int(random.next() % 5))
        }
        let trace = try #require(DeliveryTrace(chances))
        #expect(trace.chances == chances)
        var plan = LinkPlan.filtered([])
        plan.delay = .zero
        plan.bottleneck = BottleneckPlan(
            schedule: .trace(trace), queue: .dropTail(limit: ByteCount(1_000_000_000)))
        var link = LinkDirection(plan, seed: 1)
        // As many packets as three rounds have chances, all waiting from the beginning.
        for round in 0..<3 as Range<UInt64> {
            for chance in chances {
                let expected = Instant.start + .milliseconds(Int64(round * moment + chance))
                #expect(link.enqueue(1_500, at: .start) == .arrives(expected))
            }
        }
    }

    @Test func `packets that were dropped before they were sent leave their chances to others`()
        throws
    {
        var link = try link([0, 2, 4, 6, 8, 10])
        for _ in 0..<20 { _ = link.enqueue(1_500, at: .start) }
        link.clear(at: .start + .milliseconds(11))
        #expect(
            link.enqueue(1_500, at: .start + .milliseconds(15)) == arrives(milliseconds: 16))
    }

    private func link(_ chances: [UInt64]) throws -> LinkDirection {
        var plan = LinkPlan.filtered([])
        let trace = try #require(DeliveryTrace(chances))
        #expect(trace.meanRate == Bitrate(bitsPerSecond: 7_200_000))
        plan.bottleneck = BottleneckPlan(
            schedule: .trace(trace), queue: .dropTail(limit: ByteCount(100_000)))
        return LinkDirection(plan, seed: 1)
    }

    private func arrives(milliseconds: UInt64) -> LinkDirection.Passage {
        .arrives(Instant(nanoseconds: (10 + milliseconds) * 1_000_000))
    }
}
