import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct LinkBooksTests {
    @Test(arguments: [1.5, 3_600])
    func `the books agree with the records, packet by packet and byte by byte`(
        seconds: Double
    ) throws {
        let hosts = TwoHosts(
            .plain("uplink", queue: 20_000, losing: 1), .plain("downlink", losing: 1))
        hosts.open(sending: [.content(.file(1, 3_000_000))])
        hosts.play(until: Instant(nanoseconds: UInt64(seconds * 1e9)))
        hosts.network.closeBooks()
        hosts.collectLog()

        for link in UInt16(0)...1 {
            let counts = hosts.facts.compactMap { event -> LinkCount? in
                if case .link(.counted(link, let count)) = event.fact { count } else { nil }
            }
            let count = try #require(counts.first)
            #expect(counts.count == 1)
            let records = hosts.packets.filter { $0.link == link }
            #expect(count.sent == tally(records, .sent))
            #expect(count.delivered == tally(records, .delivered))
            #expect(count.dropped == tally(records, .dropped))
            #expect(
                count.sent.packets
                    == count.delivered.packets + count.dropped.packets + count.inFlight.packets)
            #expect(
                count.sent.bytes
                    == count.delivered.bytes + count.dropped.bytes + count.inFlight.bytes)
            #expect((count.inFlight.packets > 0) == (seconds < 2))
        }
    }

    @Test(arguments: [
        BottleneckPlan.Queue.dropTail(limit: ByteCount(6_000)),
        .disciplined(.dropHead, limit: ByteCount(6_000)),
    ])
    func `the books say by what packets were dropped`(queue: BottleneckPlan.Queue) throws {
        var uplink = LinkPlan.plain("uplink").losing([5, 9])
        uplink.bottleneck.queue = queue
        let hosts = TwoHosts(uplink, .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 600_000))])
        hosts.play()
        hosts.network.closeBooks()
        hosts.collectLog()
        let counts = hosts.facts.compactMap { event -> LinkCount? in
            if case .link(.counted(_, let count)) = event.fact { count } else { nil }
        }
        let drops = try #require(counts[0].drops)
        #expect(drops.lost == 2 && drops.tooLarge == 0)
        #expect(drops.byQueue == counts[0].dropped.packets - 2 && drops.byQueue > 0)
        #expect(counts[1].drops == nil)
    }

    @Test func `the plan of each link is the first thing in the log`() {
        let hosts = TwoHosts(.plain("uplink", losing: 2), .plain("downlink"))
        hosts.open()
        hosts.play()
        #expect(
            hosts.facts.prefix(2).map(\.fact.sentence) == [
                "the uplink carries 8 Mbit/s after 10 ms, behind a queue of 64 kB, "
                    + "2 % of packets lost",
                "the downlink carries 8 Mbit/s after 10 ms, behind a queue of 64 kB",
            ])
    }

    @Test func `packets are numbered by their link, and none is faster than wire and way`() {
        let hosts = TwoHosts(.plain("uplink", losing: 2), .plain("downlink", losing: 2))
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        for link in UInt16(0)...1 {
            let records = hosts.packets.filter { $0.link == link }
            let sent = records.filter { $0.kind == .sent }
            #expect(sent.map(\.packet) == Array(0..<UInt32(sent.count)))
            for record in records where record.kind == .delivered {
                let way = record.atNanoseconds - sent[Int(record.packet)].atNanoseconds
                #expect(way >= 10_000_000 + 1_000 * UInt64(record.size))
            }
        }
    }

    private func tally(_ records: [PacketRecord], _ kind: PacketRecord.Kind) -> LinkCount.Tally {
        var tally = LinkCount.Tally()
        for record in records where record.kind == kind { tally.add(bytes: Int(record.size)) }
        return tally
    }
}
