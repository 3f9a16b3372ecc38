import RunLog
import Testing

@testable import Simulation

/// RFC 7323 §4.3: which stamp goes back decides what the sender measures.
@Suite struct TimestampEchoTests {
    @Test func `a held-back acknowledgement answers the first of the segments that it covers`() {
        var receiver = established()
        receiver.take(segment(0, stamp: 10), at: 100)
        receiver.take(segment(1, stamp: 20), at: 200)
        #expect(receiver.mustAcknowledge)
        #expect(receiver.recentStamp == 10)
    }

    @Test func `a segment beyond a hole is not answered by its stamp, the one that fills it is`() {
        var receiver = established()
        receiver.take(segment(0, stamp: 10), at: 100)
        _ = receiver.packetLeaves(tellingAll: true)
        receiver.take(segment(2, stamp: 30), at: 300)
        #expect(receiver.mustAcknowledge)
        #expect(receiver.recentStamp == 10)
        _ = receiver.packetLeaves(tellingAll: true)
        receiver.take(segment(1, stamp: 40), at: 400)
        #expect(receiver.recentStamp == 40)
        #expect(receiver.unread == 3 * 1448)
    }

    /// The peer measures the round trip by it, for its window.
    @Test func `a packet without content is answered by its stamp, but not one that is late`() {
        var receiver = established()
        for stamp in [UInt64(30), 50, 40] {
            receiver.takeEmpty(segment(0, stamp: stamp, payload: 0))
        }
        #expect(receiver.recentStamp == 50)
    }

    private func established() -> TCPReceiver {
        var receiver = TCPReceiver()
        receiver.synArrived(
            Packet(
                endpoint: 1, sequence: 0, stamp: 5, acknowledgement: 0, echo: 0, window: 4 << 10,
                payload: 0, form: .syn, flags: .syn),
            at: 0)
        _ = receiver.packetLeaves(tellingAll: true)
        return receiver
    }

    private func segment(_ place: UInt64, stamp: UInt64, payload: UInt16 = 1448) -> Packet {
        Packet(
            endpoint: 1, sequence: 1 + place * 1448, stamp: stamp, acknowledgement: 1, echo: 0,
            window: 4 << 10, payload: payload, flags: .ack)
    }
}
