import Quantities
import Reports
import RunLog
import Testing

/// What a link did in each step of 10 ms: drops, queueing delay, bytes on the link.
@Suite struct LinkSeriesTests {
    @Test func `a drop counts in its own step`() throws {
        var packets = HandmadePackets()
        for time in [1, 12, 15, 38] as [UInt64] {
            packets.drop(packets.send(at: time), at: time)
        }
        let link = try #require(packets.series().links?.first)
        #expect(link.step == .milliseconds(10))
        #expect(link.dropped == [1, 2, 0, 1])
    }

    @Test func `the queueing delay is the longest transit of a step less the shortest so far`()
        throws
    {
        var packets = HandmadePackets()
        let first = packets.send(at: 0)
        let second = packets.send(at: 1)
        let third = packets.send(at: 2)
        packets.deliver(first, at: 25)
        packets.deliver(second, at: 27)
        // A quicker packet later does not change the delays before it.
        packets.deliver(third, at: 45)
        packets.deliver(packets.send(at: 46), at: 66)
        packets.deliver(packets.send(at: 67), at: 90)
        let link = try #require(packets.series().links?.first)
        let expected: [Int64?] = [nil, nil, 1, nil, 18, nil, 0, nil, nil, 3]
        #expect(link.queueingDelay == expected.map { $0.map(TimeSpan.milliseconds) })
    }

    @Test func `bytes on the link stay until they are delivered or dropped`() throws {
        var packets = HandmadePackets()
        let first = packets.send(948, at: 0)
        let second = packets.send(448, at: 5)
        packets.deliver(first, at: 25)
        packets.drop(second, at: 55)
        packets.deliver(packets.send(at: 70), at: 75)
        let link = try #require(packets.series().links?.first)
        let expected: [UInt64] = [1_500, 1_500, 1_500, 500, 500, 500, 0, 52]
        #expect(link.onLink == expected.map { ByteCount($0) })
    }

    @Test func `a packet that found no room never was on the link`() throws {
        var packets = HandmadePackets()
        packets.send(448, at: 0)
        packets.drop(packets.send(948, at: 3), at: 3)
        let link = try #require(packets.series().links?.first)
        #expect(link.onLink == [ByteCount(500)])
    }

    @Test func `a silence that widens the steps ends in the last of them`() throws {
        var packets = HandmadePackets()
        packets.deliver(packets.send(at: 2_994), at: 2_995)
        // 300 steps of 10 ms do not reach the end; the last packet's step has another number then.
        let end = RunEvent(at: .start + .milliseconds(3_004), .queue(.started))
        let link = try #require(packets.series(events: [end]).links?.first)
        #expect(link.step == .milliseconds(20))
        #expect(link.dropped.count == 151)
        #expect(link.onLink.last == .zero && link.onLink[149] == ByteCount(52))
    }

    @Test func `each link has its own series, up to the end of the run`() throws {
        var packets = HandmadePackets()
        packets.drop(packets.send(at: 5), at: 5)
        packets.deliver(packets.send(on: HandmadePackets.down, at: 5), at: 15)
        let end = RunEvent(at: .start + .milliseconds(39), .queue(.started))
        let links = try #require(packets.series(events: [end]).links)
        #expect(links.map(\.link) == [0, 1])
        #expect(links.map(\.dropped) == [[1, 0, 0, 0], [0, 0, 0, 0]])
    }

    @Test func `the six links with the most bytes are drawn`() throws {
        var packets = HandmadePackets()
        for link in 0..<8 as Range<UInt16> {
            packets.send(link == 3 ? 10 : 20 + link, on: link, at: UInt64(link))
        }
        let series = packets.series()
        #expect(series.links?.map(\.link) == [1, 2, 4, 5, 6, 7])
        #expect(series.linksLeftOut == 2)
    }

    @Test func `a day has no more steps than an hour, and loses no drop`() throws {
        var packets = HandmadePackets()
        for order in 0..<86_400 as Range<UInt64> {
            packets.drop(packets.send(at: order * 1_000), at: order * 1_000)
        }
        let link = try #require(packets.series().links?.first)
        #expect((150...300).contains(link.dropped.count))
        #expect(link.dropped.reduce(0, +) == 86_400)
        #expect(link.onLink.count == link.dropped.count)
    }

    @Test func `nobody who draws nothing pays for it`() {
        var packets = HandmadePackets()
        packets.send(at: 0)
        let series = packets.model(drawsSeries: false).series
        #expect(series.links == nil && series.flows == nil)
    }
}
