import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct SendBufferTests {
    private static let segment: UInt64 = 1448

    @Test func `the buffer is 64 KiB until twice the window is more, and never shrinks`() {
        var sender = TCPSender(initialSequence: 0, controller: CongestionController(.newReno))
        #expect(sender.room == 65_536)
        sender.dataEnd += 65_000
        #expect(sender.room == 536)
        sender.dataEnd += 135_000
        sender.next = 1
        for _ in 0..<100 {
            sender.scoreboard.append(
                .init(
                    start: sender.next, sentAt: 0, payload: UInt16(Self.segment), hasFin: false))
            sender.next += Self.segment
        }
        for round in UInt64(1)...32 {
            _ = sender.acknowledgementArrived(
                Self.acknowledgement(1 + 2 * round * Self.segment), at: 1_000)
        }
        // The window had ten segments, and each acknowledgement of two made it grow by two; the SYN
        // counted for a byte.
        let room = 2 * ((10 + 64) * Self.segment + 1) - (200_000 - 64 * Self.segment)
        #expect(sender.room == room)
        sender.timedOut(at: 2_000)
        #expect(sender.controller.window == Self.segment)
        #expect(sender.room == room)
    }

    @Test func `room comes back while a long transfer drains, and is told each time`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        let client = try #require(hosts.client)
        let told = hosts.events.count { $0 == .roomAvailable(client) }
        // At least a third of at least 64 KiB each time, and never all of it.
        #expect((4...45).contains(told), "\(told)")
    }

    /// 50 Mbit/s, round trip 100 ms: what is not acknowledged stays in the buffer, so that no more
    /// than it holds leaves in a round trip, which would be 21 Mbit/s. It is less, for the writer
    /// comes only when a third is free.
    @Test func `what a send buffer lets through is a buffer a round trip`() throws {
        let content = ContentRange.file(1, 30_000_000)
        let hosts = TwoHosts(
            .plain("uplink", megabits: 50, delay: .milliseconds(50), queue: 700_000),
            .plain("downlink", megabits: 50, delay: .milliseconds(50)),
            tcp: TCPSettings(sendBuffer: ByteCount(256 << 10)))
        hosts.open(sending: [.content(content)])
        hosts.play()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [content])
        let megabits = Double(content.length.bytes) * 8e-6 / hosts.network.now.seconds
        #expect(megabits > 13 && megabits < 17.5, "\(megabits)")
    }

    private static func acknowledgement(_ number: UInt64) -> Packet {
        Packet(
            endpoint: 0, sequence: 0, stamp: 1, acknowledgement: number, echo: 0,
            window: 4 << 10, payload: 0, flags: .ack)
    }
}
