import Quantities
import Recording
import RunPlan
import Testing

@testable import Live

/// Both directions between two made-up ports, by a clock that the test turns.
@Suite struct LinkPairTests {
    @Test func `packets cross to the other port, and the flow's books are kept from their heads`() {
        let (client, server) = (MadeUpPort(), MadeUpPort())
        var links = LinkPair(
            BulkFlowPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), roundTrip: .milliseconds(20),
                losses: [1, 3], limit: .seconds(60)), client: client, server: server)
        client.waiting = [.segment(sequence: 99, flags: 0x02)]
        #expect(links.turn { .start } == .start + .microseconds(10_040))
        _ = links.turn { .start + .milliseconds(11) }
        #expect(server.given.count == 1 && client.given.isEmpty)

        client.waiting = (0..<3).map { .segment(sequence: 100 + $0 * 500, payload: 500) }
        server.waiting = [.segment(acknowledgement: 600)]
        _ = links.turn { .start + .milliseconds(20) }
        _ = links.turn { .start + .milliseconds(60) }
        #expect(server.given.count == 3, "one of three is lost")
        #expect(client.given.count == 1)
        #expect(links.book.acknowledged == 500 && links.book.losses.count == 1)
        #expect(links.lateness.packets == 4)

        client.waiting = [.segment(sequence: 600, payload: 500)]
        _ = links.turn { .start + .milliseconds(70) }
        #expect(links.book.isOver && links.book.end == .start + .milliseconds(70))
    }

    @Test func `a rival takes the link's time and queue, and has no part in the flow's books`() {
        let (client, server) = (MadeUpPort(), MadeUpPort())
        var links = LinkPair(
            BulkFlowPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), roundTrip: .milliseconds(20),
                queuePercent: 5, losses: [], limit: .seconds(60)), client: client, server: server)
        let rival = BulkSockets.rivalPort
        client.waiting =
            [.segment(sequence: 99, flags: 0x02)]
            + (0..<2).map { .segment(sequence: 100 + $0 * 460, payload: 460, port: rival) }
            + [.segment(sequence: 100, payload: 460)]
            + (2..<4).map { .segment(sequence: 100 + $0 * 460, payload: 460, port: rival) }
        server.waiting = [.segment(acknowledgement: 900, port: rival)]
        _ = links.turn { .start }
        _ = links.turn { .start + .milliseconds(60) }
        #expect(links.book.dataPackets == 1 && links.book.acknowledged == 0)
        // The queue takes 1 kB; what is being sent takes no room in it.
        #expect(links.book.queueDrops == 1 && server.given.count == 3)
        #expect(client.given.count == 1)
    }

    @Test func `what is no TCP over IPv4 does not come across`() {
        let (client, server) = (MadeUpPort(), MadeUpPort())
        var links = LinkPair(
            BulkFlowPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), roundTrip: .milliseconds(20), losses: [],
                limit: .seconds(60)), client: client, server: server)
        client.waiting = [[UInt8](repeating: 0x60, count: 90), [0x45], []]
        #expect(links.turn { .start } == nil)
        #expect(links.book.start == nil)
    }

    /// A port that has more to say than is read in one go keeps the other from nothing.
    @Test func `a flood from one side leaves the other its turn`() {
        let (client, server) = (MadeUpPort(), MadeUpPort())
        var links = LinkPair(
            BulkFlowPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), roundTrip: .milliseconds(20), losses: [],
                limit: .seconds(60)), client: client, server: server)
        client.waiting = (0..<1_000).map { .segment(sequence: $0, payload: 10) }
        server.waiting = [.segment(acknowledgement: 1)]
        _ = links.turn { .start }
        #expect(server.waiting.isEmpty && client.waiting.count > 900)
    }
}

private final class MadeUpPort: PacketPort {
    var waiting: [[UInt8]] = []
    var given: [[UInt8]] = []

    func take(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        guard !waiting.isEmpty else { return nil }
        let packet = waiting.removeFirst()
        bytes.copyBytes(from: packet)
        return packet.count
    }

    func give(_ packet: UnsafeRawBufferPointer) { given.append(Array(packet)) }
}

extension [UInt8] {
    /// An IPv4 packet with a TCP segment, as far as anybody looks at it.
    fileprivate static func segment(
        sequence: UInt32 = 0, acknowledgement: UInt32 = 0, payload: Int = 0, flags: UInt8 = 0x10,
        port: UInt16 = BulkSockets.port
    ) -> [UInt8] {
        var packet = [UInt8](repeating: 0, count: 40 + payload)
        packet[0] = 0x45
        packet[9] = 6
        let ports = UInt32(port) << 16 | UInt32(port)
        for (place, number) in [(20, ports), (24, sequence), (28, acknowledgement)] {
            for index in 0..<4 {
                packet[place + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index))
            }
        }
        packet[32] = 5 << 4
        packet[33] = flags
        return packet
    }
}
