import Checks
import Quantities
import RunLog
import Testing

/// S16: other traffic on a link.
@Suite struct SharingBooksTests {
    @Test func `an account that tells what the records do holds`() {
        #expect(judge(delivered: 1) == .held)
    }

    @Test func `an account that tells more falls`() {
        #expect(
            judge(delivered: 2)
                == broken(
                    at: 2,
                    expected: "flow 65535 of the uplink has received 1 packets, 1500 bytes, "
                        + "as its records say",
                    seen: "flow 65535 has received 2 packets, 3000 bytes"))
    }

    @Test func `an account of somebody who was never announced falls`() {
        #expect(
            judge(delivered: 1, announced: 65_534)
                == broken(
                    at: 2, expected: "counts only for announced flows",
                    seen: "flow 65535 has received 1 packets, 1500 bytes"))
    }

    @Test(arguments: [[7, 9, 8], [9, 8, 7], [8, 9, 7], [9, 7, 8]] as [[UInt16]])
    func `each flow has an account of its own, whatever the order of their announcements`(
        order: [UInt16]
    ) {
        var check = NetworkObeysPhysics()
        check.read(RunEvent(at: .start, .link(.planned(link: 0, LinkLog.terms))))
        for flow in order {
            let terms = SharingTerms(flow: flow, what: "flow \(flow)")
            check.read(RunEvent(at: .start, .link(.shared(link: 0, terms))))
        }
        // Each flow has a packet more than the one before; those of flow 3 belong to a host.
        let flows: [UInt16] = [7, 8, 8, 9, 9, 9, 3]
        var books = LinkCount()
        var records: [PacketRecord] = []
        for (place, flow) in flows.enumerated() {
            for kind in [PacketRecord.Kind.sent, .delivered] {
                let moment = UInt64(12_000_000 * place) + (kind == .sent ? 0 : 11_500_000)
                records.append(
                    PacketRecord(
                        atNanoseconds: moment, kind: kind, packet: UInt32(place), link: 0,
                        flow: flow, size: 1_500, payload: 1_448, sequence: 0, acknowledgement: 0,
                        flags: .ack))
            }
            books.sent.add(bytes: 1_500)
            books.delivered.add(bytes: 1_500)
        }
        records.withUnsafeBufferPointer { check.read(packets: $0) }
        let end = Instant.start + .seconds(1)
        for (flow, packets) in [(7, 1), (8, 2), (9, 3)] as [(UInt16, Int)] {
            var account = SharingCount(flow: flow, delivered: LinkCount.Tally())
            for _ in 0..<packets { account.delivered.add(bytes: 1_500) }
            check.read(RunEvent(at: end, .link(.shareCounted(link: 0, account))))
        }
        check.read(RunEvent(at: end, .link(.counted(link: 0, books))))
        #expect(check.verdict() == .held)
    }

    private func judge(delivered: UInt64, announced: UInt16 = 65_535) -> Verdict.Answer {
        var books = LinkCount()
        books.sent.add(bytes: 1_500)
        books.delivered.add(bytes: 1_500)
        var account = SharingCount(flow: 65_535, delivered: LinkCount.Tally())
        for _ in 0..<delivered { account.delivered.add(bytes: 1_500) }
        var check = NetworkObeysPhysics()
        let terms = SharingTerms(flow: announced, what: "somebody else")
        check.read(RunEvent(at: .start, .link(.planned(link: 0, LinkLog.terms))))
        check.read(RunEvent(at: .start, .link(.shared(link: 0, terms))))
        let records = [PacketRecord.Kind.sent, .delivered].map { kind in
            PacketRecord(
                atNanoseconds: kind == .sent ? 0 : 11_500_000, kind: kind, packet: 0, link: 0,
                flow: 65_535, size: 1_500, payload: 1_448, sequence: 0, acknowledgement: 0,
                flags: .ack)
        }
        records.withUnsafeBufferPointer { check.read(packets: $0) }
        let end = Instant.start + .milliseconds(2)
        check.read(RunEvent(at: end, .link(.shareCounted(link: 0, account))))
        check.read(RunEvent(at: end, .link(.counted(link: 0, books))))
        return check.verdict()
    }
}
