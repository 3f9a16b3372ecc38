import RunLog
import Testing

@testable import Runs

/// Packets of data are counted by what the log says of them.
@Suite struct DataPacketsTests {
    @Test func `each kind is counted, and only on the first link and with a payload`() {
        let packets = Self.counted([
            Self.record(.sent, 0), Self.record(.sent, 1448), Self.record(.delivered, 0),
            Self.record(.dropped, 1448), Self.record(.sent, 0, payload: 0),
            Self.record(.delivered, 0, payload: 0), Self.record(.sent, 0, link: 1),
            Self.record(.delivered, 0, link: 1),
        ])
        #expect(packets.sent == 2)
        #expect(packets.delivered == 1)
        #expect(packets.dropped == 1)
        #expect(packets.retransmitted == 0)
    }

    @Test func `what a flow had sent before is sent again, beyond the wrap of the numbers too`() {
        let packets = Self.counted([
            Self.record(.sent, 0xffff_ff00), Self.record(.sent, 0xffff_ff00 &+ 1448),
            Self.record(.sent, 0xffff_ff00), Self.record(.sent, 0xffff_ff00 &+ 1448),
            Self.record(.sent, 0xffff_ff00 &+ 2896),
        ])
        #expect(packets.sent == 5)
        #expect(packets.retransmitted == 2)
    }

    @Test func `flows have numbers of their own`() {
        let packets = Self.counted([
            Self.record(.sent, 5000), Self.record(.sent, 0, flow: 3),
            Self.record(.sent, 0, flow: 3),
        ])
        #expect(packets.retransmitted == 1)
    }

    private static func counted(_ records: [PacketRecord]) -> DataPackets {
        var packets = DataPackets()
        records.withUnsafeBufferPointer { packets.read(packets: $0) }
        return packets
    }

    private static func record(
        _ kind: PacketRecord.Kind, _ sequence: UInt32, link: UInt16 = 0, flow: UInt16 = 0,
        payload: UInt16 = 1448
    ) -> PacketRecord {
        PacketRecord(
            atNanoseconds: 0, kind: kind, packet: 0, link: link, flow: flow, size: 52 + payload,
            payload: payload, sequence: sequence, acknowledgement: 0, flags: .ack)
    }
}
