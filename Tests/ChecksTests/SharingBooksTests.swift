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
