import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

/// TCP over links whose queues decide at dequeue.
@Suite struct DisciplinedLinkTests {
    private static let disciplines: [DisciplinePlan] = [
        .dropHead, .coDel(.init()), .fairQueueCoDel(.init()), .pie(.init()),
        .red(
            .init(
                lower: ByteCount(20_000), upper: ByteCount(60_000),
                highest: Probability(percent: 10) ?? .always)),
    ]

    @Test(arguments: disciplines)
    func `everything arrives, the books balance, and the queue is shorter than drop-tail's`(
        discipline: DisciplinePlan
    ) throws {
        let plain = try play(.dropTail(limit: ByteCount(200_000)))
        let limit = discipline == .dropHead ? 100_000 : 200_000 as UInt64
        let kept = try play(.disciplined(discipline, limit: ByteCount(limit)))
        #expect(kept.median < plain.median, "\(kept.median) ns, \(plain.median) ns")
    }

    private func play(_ queue: BottleneckPlan.Queue) throws -> (median: UInt64, drops: Int) {
        var uplink = LinkPlan.plain("uplink")
        uplink.bottleneck.queue = queue
        let hosts = TwoHosts(uplink, .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 4_000_000))])
        hosts.play(until: Instant(nanoseconds: 3_000_000_000))
        hosts.network.closeBooks()
        hosts.play()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [.file(1, 4_000_000)])
        let count = try #require(
            hosts.facts.compactMap { event -> LinkCount? in
                if case .link(.counted(0, let count)) = event.fact { count } else { nil }
            }.first)
        #expect(count.inFlight.packets > 0)
        #expect(
            count.sent.packets
                == count.delivered.packets + count.dropped.packets + count.inFlight.packets)
        #expect(
            count.sent.bytes
                == count.delivered.bytes + count.dropped.bytes + count.inFlight.bytes)
        let records = hosts.packets.filter { $0.link == 0 }
        let sent = records.filter { $0.kind == .sent }.map(\.atNanoseconds)
        let waits = records.filter { $0.kind == .delivered }
            .map { $0.atNanoseconds - sent[Int($0.packet)] }.sorted()
        return (waits[waits.count / 2], records.count { $0.kind == .dropped })
    }
}
