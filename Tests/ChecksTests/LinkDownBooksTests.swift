import Checks
import Quantities
import RunLog
import Testing

/// S16 when a link goes down: "none delivered over a dead link".
@Suite struct LinkDownBooksTests {
    /// A packet is sent at 0, and the link goes down at 5 ms, with these packets lost.
    private static func judged(
        losing: [UInt32] = [0], delivering: [UInt32] = [], comesUp: Bool = true,
        then later: (inout [PacketRecord]) -> Void = { _ in }
    ) -> Verdict.Answer {
        var check = NetworkObeysPhysics()
        check.read(RunEvent(at: .start, .link(.planned(link: 1, LinkLog.terms))))
        read([record(.sent, 0, 0), record(.sent, 1, 0), record(.dropped, 1, 0)], by: &check)
        let down = Instant(nanoseconds: 5_000_000)
        check.read(RunEvent(at: down, .link(.down(link: 1))))
        read(
            losing.map { record(.dropped, $0, 5_000) }
                + delivering.map { record(.delivered, $0, 20_000) }, by: &check)
        let up = Instant(nanoseconds: 1_000_000_000)
        if comesUp { check.read(RunEvent(at: up, .link(.up(link: 1)))) }
        var records: [PacketRecord] = []
        later(&records)
        read(records, by: &check)
        return check.verdict()
    }

    private static func read(_ records: [PacketRecord], by check: inout NetworkObeysPhysics) {
        records.withUnsafeBufferPointer { check.read(packets: $0) }
    }

    private static func record(
        _ kind: PacketRecord.Kind, _ packet: UInt32, _ microseconds: UInt64
    ) -> PacketRecord {
        PacketRecord(
            atNanoseconds: microseconds * 1_000, kind: kind, packet: packet, link: 1, flow: 0,
            size: 1_500, payload: 1_448, sequence: 0, acknowledgement: 0, flags: .ack)
    }

    /// The answer to a log without a breach whose books are not closed.
    private static let fine = Verdict.Answer.notApplicable(
        because: "the uplink never reported its counts")

    @Test func `what is lost with the link, and what comes when it is back, holds`() {
        #expect(Self.judged() == Self.fine)
        #expect(
            Self.judged {
                $0 = [Self.record(.sent, 2, 2_000_000), Self.record(.delivered, 2, 2_011_500)]
            } == Self.fine)
    }

    @Test func `what is sent while it is down, and lost, holds`() {
        #expect(
            Self.judged(comesUp: false) {
                $0 = [Self.record(.sent, 2, 30_000), Self.record(.dropped, 2, 30_000)]
            } == Self.fine)
    }

    @Test func `a packet that was on the way and arrives over a dead link falls`() {
        #expect(
            Self.judged(losing: [], delivering: [0])
                == .broken(
                    Breach(
                        event: 1, at: Instant(nanoseconds: 20_000_000),
                        expected: "the uplink delivers nothing while it is down",
                        seen: "it is delivered at 20000000 ns")))
    }

    @Test func `a packet that is sent and delivered while the link is down falls`() {
        let answer = Self.judged(comesUp: false) {
            $0 = [Self.record(.sent, 2, 30_000), Self.record(.delivered, 2, 50_000)]
        }
        #expect(answer.isBroken)
    }

    @Test func `a packet that waited on a dead link until it came up falls`() {
        #expect(
            Self.judged(losing: [])
                == .broken(
                    Breach(
                        event: 2, at: Instant(nanoseconds: 1_000_000_000),
                        expected:
                            "no packet is left on the uplink when it comes up again",
                        seen: "1 packets are still on it")))
    }
}

extension Verdict.Answer {
    fileprivate var isBroken: Bool { if case .broken = self { true } else { false } }
}
