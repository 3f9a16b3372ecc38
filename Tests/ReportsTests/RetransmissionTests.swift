import Quantities
import Reports
import RunLog
import Testing

/// Payload below what a flow has sent already is a retransmission, however sequence numbers begin.
@Suite struct RetransmissionTests {
    @Test func `payload sent again counts, new payload and bare answers do not`() {
        #expect(retransmitted([(1, 100), (101, 100), (1, 100), (201, 100), (201, 0)]) == [1, 100])
    }

    @Test func `a segment that begins below and ends above counts only what is below`() {
        #expect(retransmitted([(1, 100), (51, 100), (151, 50)]) == [1, 50])
    }

    @Test func `sequence numbers may go round`() {
        #expect(retransmitted([(.max - 49, 100), (50, 100), (150, 100)]) == [0, 0])
        #expect(retransmitted([(.max - 49, 100), (50, 100), (.max - 49, 100)]) == [1, 100])
    }

    @Test func `flows have streams of their own, and a new handshake begins anew`() {
        #expect(retransmitted([(1_000, 100)], [(1, 100)]) == [0, 0])
        #expect(retransmitted([(1_000, 100), (0, 0), (1, 100)], synAt: 1) == [0, 0])
    }

    @Test func `numbers of the paced transport are not those of TCP`() {
        let again: [(sequence: UInt32, payload: UInt16)] = [(1, 100), (1, 100)]
        #expect(retransmitted(again) == [1, 100])
        #expect(retransmitted(again, from: PacketRecord.firstPacedFlow) == [0, 0])
    }

    private func retransmitted(
        _ flows: [(sequence: UInt32, payload: UInt16)]..., synAt: Int? = nil, from first: UInt16 = 0
    ) -> [UInt64] {
        var records: [PacketRecord] = []
        for (flow, segments) in flows.enumerated() {
            for (order, segment) in segments.enumerated() {
                records.append(
                    PacketRecord(
                        atNanoseconds: UInt64(records.count), kind: .sent,
                        packet: UInt32(records.count), link: 0, flow: first + UInt16(flow),
                        size: segment.payload + 40, payload: segment.payload,
                        sequence: segment.sequence, acknowledgement: 0,
                        flags: order == synAt ? .syn : .ack))
            }
        }
        var collector = FigureCollector()
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        records.withUnsafeBufferPointer { collector.read(packets: $0) }
        let tally = ReportModel(collector, verdicts: [], digest: "").figures.links[0].retransmitted
        return [tally.packets, tally.bytes]
    }
}
