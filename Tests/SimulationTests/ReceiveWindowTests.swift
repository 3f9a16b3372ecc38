import Content
import LinkModels
import Quantities
import RunPlan
import Simulation
import Testing

@testable import Simulation

@Suite struct ReceiveWindowTests {
    private static let segment: UInt64 = 1448

    @Test func `the window grows with what is read in a round trip, up to its largest`() {
        var window = ReceiveWindow(largest: 1 << 20)
        window.begin(with: 1, at: 0)
        #expect(window.size == 65_536)
        var next: UInt64 = 1
        var now: UInt64 = 0
        var sizes: [UInt64] = []
        for round in UInt64(1)...6 {
            // Ten segments, twenty, forty: as slow start sends them, acknowledged 100 ms later.
            for _ in 0..<(10 << (round - 1)) {
                next += Self.segment
                window.heard(now + 1, at: now + 100_000_001)
                _ = window.hostRead(Self.segment, next: next, at: now + 100_000_001)
                _ = window.offer(from: next, unread: 0)
            }
            now += 100_000_000
            sizes.append(window.size)
        }
        #expect(sizes == sizes.sorted())
        // Always ahead of what comes next, until the limit.
        #expect(sizes[2] >= 80 * Self.segment)
        #expect(sizes.last == 1 << 20)
    }

    @Test func `the right edge moves by a segment or not at all, and never back`() {
        var window = ReceiveWindow(largest: 65_536)
        window.begin(with: 1, at: 0)
        #expect(window.initial == 65_535)
        let offers = [
            window.offer(from: 1, unread: 0),
            // 30 000 bytes have come, and nobody has read them.
            window.offer(from: 30_001, unread: 30_000),
            window.offer(from: 65_535, unread: 65_534),
            // A little room is none.
            window.offer(from: 65_535, unread: 64_500),
            window.offer(from: 65_535, unread: 64_000),
            window.offer(from: 65_535, unread: 65_534),
        ]
        #expect(offers == [65_408, 35_456, 0, 0, 1_536, 1_536])
    }

    @Test func `a reader that comes back tells of its room, one that keeps up does not`() {
        var window = ReceiveWindow(largest: 65_536)
        window.begin(with: 1, at: 0)
        _ = window.offer(from: 60_001, unread: 60_000)
        let tellsAfterPause = window.hostRead(60_000, next: 60_001, at: 1)
        #expect(tellsAfterPause)
        _ = window.offer(from: 60_001, unread: 0)
        let tellsInStride = window.hostRead(1_448, next: 61_449, at: 2)
        #expect(!tellsInStride)
    }

    /// 50 Mbit/s, round trip 100 ms: 625 kB are on the way when the link is full.
    @Test(arguments: [(UInt64(64 << 10), 5.0, 5.4), (256 << 10, 19.5, 21.5), (6 << 20, 44.0, 50.0)])
    func `what a window lets through is a window a round trip`(
        largest: UInt64, least: Double, most: Double
    ) throws {
        let content = ContentRange.file(1, 60_000_000)
        let hosts = TwoHosts(
            .plain("uplink", megabits: 50, delay: .milliseconds(50), queue: 700_000),
            .plain("downlink", megabits: 50, delay: .milliseconds(50)),
            tcp: TCPSettings(receiveWindow: ByteCount(largest)))
        hosts.open(sending: [.content(content)])
        hosts.play()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [content])
        let megabits = Double(content.length.bytes) * 8e-6 / hosts.network.now.seconds
        #expect(megabits > least && megabits < most, "\(megabits)")
    }
}
