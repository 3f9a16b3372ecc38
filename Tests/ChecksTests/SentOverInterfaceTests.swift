import Checks
import Quantities
import RunLog
import Testing

/// `at most SIZE over cellular` counts every packet of the phones, and no other traffic.
@Suite struct SentOverInterfaceTests {
    /// Wi-Fi sends on link 0, cellular on link 2; flow 40000 is other traffic there.
    private static let plan: [RunEvent.Fact] = [
        .network(.interface(0, terms("Wi-Fi", isCellular: false, uplink: 0))),
        .network(.interface(1, terms("cellular", isCellular: true, uplink: 2))),
        .link(.shared(link: 2, SharingTerms(flow: 40_000, what: "somebody else"))),
    ]

    @Test func `what is sent on its uplinks counts, headers and all`() {
        let packets = [sent(60, on: 2, at: 5), sent(1_500, on: 0, at: 6), sent(41, on: 2, at: 7)]
        #expect(verdict(atMost: 101, packets) == .held)
        #expect(
            verdict(atMost: 100, packets)
                == .broken(
                    Breach(
                        event: 2, at: Instant(nanoseconds: 7),
                        expected: "at most 100 B are sent over cellular, headers included",
                        seen: "with this packet it is 101 B")))
        #expect(verdict(isCellular: false, atMost: 1_500, packets) == .held)
        #expect(verdict(isCellular: false, atMost: 1_499, packets) != .held)
    }

    @Test func `what arrives and what others send does not`() {
        let packets = [
            sent(60, on: 3, at: 5), sent(60, on: 2, at: 6, flow: 40_000),
            sent(60, on: 2, at: 7, as: .delivered), sent(60, on: 2, at: 7, as: .dropped),
        ]
        #expect(verdict(atMost: 0, packets) == .held)
    }

    @Test func `what was captured counts like what was sent`() {
        #expect(verdict(atMost: 0, [sent(1, on: 2, at: 5, as: .captured)]) != .held)
    }

    @Test func `where nobody saw packets, nobody knows`() {
        #expect(verdict(atMost: 0, []) == .notApplicable(because: "no packet was seen"))
    }

    private func verdict(
        isCellular: Bool = true, atMost limit: UInt64, _ packets: [PacketRecord]
    ) -> Verdict.Answer {
        var check = ExpectationPlan.sentOver(isCellular: isCellular, .atMost(ByteCount(limit)))
            .check(words: "so much", place: "a.yaml:1:1")
        for fact in Self.plan { check.read(RunEvent(at: .start, fact)) }
        packets.withUnsafeBufferPointer { check.read(packets: $0) }
        check.read(RunEvent(at: .start + .seconds(1), SmallLog.runEnds))
        return check.verdict()
    }

    private func sent(
        _ size: UInt16, on link: UInt16, at nanoseconds: UInt64, flow: UInt16 = 0,
        as kind: PacketRecord.Kind = .sent
    ) -> PacketRecord {
        PacketRecord(
            atNanoseconds: nanoseconds, kind: kind, packet: 0, link: link, flow: flow, size: size,
            payload: 0, sequence: 0, acknowledgement: 0, flags: .ack)
    }

    private static func terms(_ name: String, isCellular: Bool, uplink: UInt16) -> InterfaceTerms {
        InterfaceTerms(
            name: name, isCellular: isCellular, uplink: uplink, downlink: uplink + 1,
            address: "192.0.2.2", radio: nil)
    }
}
