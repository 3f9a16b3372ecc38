import Quantities
import Reports
import RunLog
import Testing

/// What a flow did in each step of 10 ms, as its sender saw it.
@Suite struct FlowSeriesTests {
    @Test func `bytes are in flight from their sending to their acknowledgement`() throws {
        var packets = HandmadePackets()
        packets.send(100, sequence: 1, at: 0)
        packets.send(100, sequence: 101, at: 12)
        packets.acknowledge(101, at: 31)
        packets.acknowledge(201, at: 42)
        packets.send(50, sequence: 201, at: 51)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.inFlight == bytes(100, 200, 200, 200, 100, 50))
        #expect(flow.sent == bytes(100, 200, 200, 200, 200, 250))
        #expect(flow.acknowledged == bytes(0, 0, 0, 100, 200, 200))
        #expect(flow.bytes == ByteCount(250) && flow.sender == .client)
    }

    @Test func `SYN and FIN are no bytes`() throws {
        var packets = HandmadePackets()
        packets.send(sequence: 5_000, flags: .syn, at: 0)
        packets.deliver(
            packets.send(
                sequence: 77, acknowledgement: 5_001, flags: [.syn, .ack],
                on: HandmadePackets.down, at: 10), at: 20)
        packets.send(100, sequence: 5_001, flags: [.ack, .fin], at: 21)
        packets.acknowledge(5_102, at: 41)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.inFlight == bytes(0, 0, 100, 100, 100))
        #expect(flow.acknowledged == bytes(0, 0, 0, 0, 100))
    }

    @Test func `one segment at a time measures the round trip, and the handshake does`() throws {
        var packets = HandmadePackets()
        packets.send(sequence: 0, flags: .syn, at: 0)
        packets.deliver(
            packets.send(
                sequence: 0, acknowledgement: 1, flags: [.syn, .ack], on: HandmadePackets.down,
                at: 10), at: 22)
        packets.send(100, sequence: 1, at: 22)
        // It is not timed, because the one before it is.
        packets.send(100, sequence: 101, at: 23)
        packets.acknowledge(101, at: 48)
        packets.send(100, sequence: 201, at: 48)
        packets.acknowledge(301, at: 49)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.roundTrip == times(nil, nil, 22, nil, 13.5))
        #expect(flow.longestRoundTrip == times(nil, nil, 22, nil, 26))
    }

    @Test func `a retransmission ends the measurement before it`() throws {
        var packets = HandmadePackets()
        packets.send(100, sequence: 1, at: 0)
        packets.send(100, sequence: 101, at: 1)
        packets.send(100, sequence: 1, at: 15)
        packets.acknowledge(201, at: 35)
        packets.send(100, sequence: 201, at: 36)
        packets.acknowledge(301, at: 56)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.roundTrip == times(nil, nil, nil, nil, nil, 20))
        #expect(flow.retransmitted == [nil, .zero, nil, nil, nil, nil])
    }

    @Test func `a retransmission behind the timed segment does not disturb it`() throws {
        var packets = HandmadePackets()
        packets.send(100, sequence: 1, at: 0)
        packets.send(100, sequence: 101, at: 1)
        packets.send(100, sequence: 101, at: 2)
        packets.acknowledge(101, at: 15)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.roundTrip == times(nil, 15))
        #expect(flow.retransmitted == [ByteCount(100), nil])
    }

    @Test func `a stream may be longer than its sequence numbers go`() throws {
        var packets = HandmadePackets()
        let piece: UInt32 = 60_000
        for order in 0..<80_000 as Range<UInt32> {
            packets.send(
                UInt16(piece), sequence: .max &- 10 &+ order &* piece, at: UInt64(order))
        }
        packets.acknowledge(.max &- 10 &+ 79_999 &* piece, at: 80_020)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.bytes == ByteCount(80_000 * 60_000))
        #expect(flow.retransmitted == nil)
        #expect(flow.acknowledged.last == ByteCount(79_999 * 60_000))
        #expect((150...300).contains(flow.sent.count))
    }

    @Test func `sequence numbers may go round within a window`() throws {
        var packets = HandmadePackets()
        packets.send(100, sequence: .max - 149, at: 0)
        packets.send(100, sequence: .max - 49, at: 1)
        packets.send(100, sequence: 50, at: 2)
        packets.send(100, sequence: .max - 49, at: 13)
        packets.acknowledge(.max - 49, at: 25)
        packets.acknowledge(150, at: 35)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.inFlight == bytes(300, 300, 300, 200))
        #expect(flow.acknowledged == bytes(0, 0, 100, 300))
        #expect(flow.retransmitted == [nil, ByteCount(100), nil, nil])
    }

    @Test func `a download is the stream of the server`() throws {
        var packets = HandmadePackets()
        packets.send(10, sequence: 1, at: 0)
        packets.send(500, sequence: 1, on: HandmadePackets.down, at: 20)
        packets.deliver(packets.send(acknowledgement: 501, at: 40), at: 60)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.sender == .server && flow.bytes == ByteCount(500))
        #expect(flow.longestRoundTrip.compactMap(\.self) == [.milliseconds(40)])
    }

    @Test func `an acknowledgement of something never sent is another connection's`() throws {
        var packets = HandmadePackets()
        packets.send(100, sequence: 1, at: 0)
        packets.acknowledge(5_000, at: 12)
        let flow = try #require(packets.series().flows?.first)
        #expect(flow.acknowledged.last == .zero)
    }

    @Test func `the largest window that the world has told counts`() throws {
        var packets = HandmadePackets()
        packets.send(100, sequence: 1, at: 0)
        packets.send(100, sequence: 101, at: 25)
        #expect(packets.series().flows?.first?.window == nil)
        let windows = [(1, 14_480), (2, 20_000), (3, 9_000), (21, 5_000)].map {
            CongestionWindow(
                at: .start + .milliseconds($0.0), flow: 0, isOpeners: true,
                size: ByteCount(UInt64($0.1)))
        }
        let flow = try #require(packets.series(windows: windows).flows?.first)
        #expect(flow.window == [ByteCount(20_000), nil, ByteCount(5_000)])
    }

    private func bytes(_ counts: UInt64...) -> [ByteCount] { counts.map { ByteCount($0) } }

    private func times(_ milliseconds: Double?...) -> [TimeSpan?] {
        milliseconds.map { $0.map { TimeSpan(nanoseconds: Int64($0 * 1e6)) } }
    }
}
