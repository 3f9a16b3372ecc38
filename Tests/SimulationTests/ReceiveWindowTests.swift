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
        #expect(window.size == 81_920)
        var next: UInt64 = 1
        var now: UInt64 = 0
        var sizes: [UInt64] = []
        for round in UInt64(1)...6 {
            // Ten segments, twenty, forty: as slow start sends them, acknowledged 100 ms later.
            for _ in 0..<(10 << (round - 1)) {
                next += Self.segment
                window.heard(now + 1, at: now + 100_000_001)
                _ = window.hostRead(Self.segment, next: next, at: now + 100_000_001)
                _ = window.offer(from: next, held: 0)
            }
            now += 100_000_000
            sizes.append(window.size)
        }
        #expect(sizes == sizes.sorted())
        // Always ahead of what comes next, until the limit.
        #expect(sizes[2] >= 80 * Self.segment)
        #expect(sizes.last == 1 << 20)
    }

    /// Linux since version 6.16: without it a sender that fills a hole late would stand still.
    @Test func `the window grows by what lies beyond a hole, but its edge stays`() {
        var window = ReceiveWindow(largest: 1 << 20)
        window.begin(with: 1, at: 0)
        let before = window.offer(from: 1, held: 0)
        for count in UInt64(1)...60 {
            window.reached((count + 1) * Self.segment)
            // RFC 5681 §2: only what offers the same is a duplicate.
            #expect(window.offer(from: 1, held: count * Self.segment) == before)
        }
        #expect(window.size == 20 * Self.segment + 61 * Self.segment)
        let next = 1 + 61 * Self.segment
        // Windows travel in units of 128 bytes.
        #expect(window.offer(from: next, held: 0) == 117_248 / 128)
    }

    @Test func `the right edge moves by a segment or not at all, and never back`() {
        var window = ReceiveWindow(largest: 65_536)
        window.begin(with: 1, at: 0)
        #expect(window.initial == 65_535)
        let offers = [
            window.offer(from: 1, held: 0),
            // 30 000 bytes have come, and nobody has read them.
            window.offer(from: 30_001, held: 30_000),
            window.offer(from: 65_535, held: 65_534),
            // A little room is none.
            window.offer(from: 65_535, held: 64_500),
            window.offer(from: 65_535, held: 63_000),
            window.offer(from: 65_535, held: 65_534),
        ]
        #expect(offers.map { Int($0) * 128 } == [65_408, 35_456, 0, 0, 2_432, 2_432])
    }

    @Test func `a reader that comes back tells of its room, one that keeps up does not`() {
        var window = ReceiveWindow(largest: 65_536)
        window.begin(with: 1, at: 0)
        _ = window.offer(from: 60_001, held: 60_000)
        let tellsAfterPause = window.hostRead(60_000, next: 60_001, at: 1)
        #expect(tellsAfterPause)
        _ = window.offer(from: 60_001, held: 0)
        let tellsInStride = window.hostRead(1_448, next: 61_449, at: 2)
        #expect(!tellsInStride)
    }

    /// Linux reads buffer by buffer, and looks at the clock after each.
    @Test func `what is read behind a hole that was filled counts for the next round trip`() {
        var window = ReceiveWindow(largest: 1 << 20)
        window.begin(with: 1, at: 0)
        window.heard(1, at: 100)
        _ = window.hostRead(5 * Self.segment, next: 1 + 5 * Self.segment, at: 50)
        // The segment that fills the hole ends the round trip; those behind it are still waiting.
        _ = window.hostRead(40 * Self.segment, next: 1 + 45 * Self.segment, at: 100)
        #expect(window.size == 81_920)
        _ = window.hostRead(Self.segment, next: 1 + 46 * Self.segment, at: 198)
        // 39 and 1 and 1 in this round trip, after ten in the one before.
        let read = 41 * Self.segment
        let before = 10 * Self.segment
        _ = window.hostRead(Self.segment, next: 1 + 47 * Self.segment, at: 200)
        #expect(window.size == 2 * read + 2 * (2 * read * (read - before) / before))
    }

    /// 50 Mbit/s, round trip 100 ms: 625 kB are on the way when the link is full.
    @Test(arguments: [(UInt64(64 << 10), 4.9, 5.3), (256 << 10, 19.5, 21.5), (6 << 20, 44.0, 50.0)])
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
