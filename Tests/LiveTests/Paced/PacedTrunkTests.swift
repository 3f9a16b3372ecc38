import Protocols
import Quantities
import Testing
import TransferHost

/// The channels of a session over the paced transport, with real bytes in sealed datagrams.
@Suite struct PacedTrunkTests {
    /// Two ends of a session. A share of all datagrams is lost.
    private final class Path {
        var client: PacedTrunk
        var server: PacedTrunk
        private(set) var now = Instant.start + .seconds(1)
        private var random = RandomStream(seed: 1, name: "path")
        private var onTheWay: [(at: Instant, bytes: [UInt8], isForServer: Bool)] = []
        private let lost: UInt64
        /// What each end's hosts are told, by channel.
        private(set) var clientNews: [String] = []
        private(set) var serverNews: [String] = []

        init(losing percent: UInt64 = 0, clientHasChannels: Bool = true) {
            lost = percent
            client = PacedTrunk(
                LinePath.keys, session: 7, at: .client, PacedSettings(),
                hasChannels: clientHasChannels, at: now)
            server = PacedTrunk(
                LinePath.keys, session: 7, at: .server, PacedSettings(), hasChannels: true, at: now)
        }

        /// Goes on until a condition holds; returns whether it came to hold within a minute.
        func run(until holds: () -> Bool) -> Bool {
            let end = now + .seconds(60)
            while now < end {
                exchange()
                for (channel, change) in client.news() { clientNews.append("\(channel) \(change)") }
                for (channel, change) in server.news() { serverNews.append("\(channel) \(change)") }
                if holds() { return true }
                now = now + .milliseconds(1)
            }
            return false
        }

        private func exchange() {
            let due = onTheWay.filter { $0.at <= now }
            onTheWay.removeAll { $0.at <= now }
            for var datagram in due {
                datagram.bytes.withUnsafeMutableBytes { bytes in
                    guard let head = PacedHead(UnsafeRawBufferPointer(bytes)) else { return }
                    _ =
                        datagram.isForServer
                        ? server.take(head, bytes, at: now) : client.take(head, bytes, at: now)
                }
            }
            let (fromClient, fromServer) = (Outbox(), Outbox())
            client.send(into: fromClient) { now }
            server.send(into: fromServer) { now }
            post(fromClient.datagrams, toServer: true)
            post(fromServer.datagrams, toServer: false)
        }

        private func post(_ datagrams: [[UInt8]], toServer: Bool) {
            for bytes in datagrams where random.below(100) >= lost {
                onTheWay.append((now + .milliseconds(10), bytes, toServer))
            }
        }
    }

    private static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed &* 13 &+ $0 >> 8) }
    }

    @Test(arguments: [0, 5] as [UInt64])
    func `each channel brings its own bytes, in both directions`(lost: UInt64) {
        let path = Path(losing: lost)
        #expect(path.run { path.clientNews.contains("0 opened") })
        for _ in 1...9 { _ = path.client.open() }
        let sizes = [300_000, 1, 20_000, 16_384, 16_385, 70_000, 5, 0, 40_000, 100]
        let up = sizes.enumerated().map { Self.bytes($0.element, $0.offset) }
        var sent = (up: sizes.map { _ in 0 }, down: sizes.map { _ in 0 })
        var arrived = (up: sizes.map { _ in [UInt8]() }, down: sizes.map { _ in [UInt8]() })
        let isDone = path.run {
            for channel in sizes.indices {
                sent.up[channel] += up[channel][sent.up[channel]...].withUnsafeBytes {
                    path.client.write($0, on: channel)
                }
                let came = path.server.read(atMost: 50_000, on: channel, at: path.now)
                arrived.up[channel] += came
                // The server sends back what it gets.
                let back = arrived.up[channel][sent.down[channel]...]
                sent.down[channel] += back.withUnsafeBytes {
                    $0.isEmpty ? 0 : path.server.write($0, on: channel)
                }
                arrived.down[channel] += path.client.read(atMost: 50_000, on: channel, at: path.now)
            }
            return arrived.down.map(\.count) == sizes
        }
        let (isUp, isDown) = (arrived.up == up, arrived.down == up)
        #expect(isDone && isUp && isDown)
        for (channel, size) in sizes.enumerated() {
            let transmitted = path.client.transmitted(on: channel)
            #expect(transmitted == ByteCount(UInt64(size)))
        }
    }

    @Test func `the session ends with its last channel`() {
        let path = Path(losing: 5)
        #expect(path.run { path.clientNews.contains("0 opened") })
        let channel = path.client.open() ?? 0
        _ = [UInt8(1)].withUnsafeBytes { path.client.write($0, on: channel) }
        path.client.finish(0, ignoring: true)
        #expect(path.run { path.serverNews.contains("1 content") })
        path.server.finish(0, ignoring: true)
        _ = path.server.read(atMost: 10, on: channel, at: path.now)
        let isGone = path.client.isGone
        #expect(!isGone)
        path.client.finish(channel, ignoring: true)
        #expect(path.run { path.serverNews.contains("1 peerFinished") })
        path.server.finish(channel, ignoring: true)
        #expect(path.run { path.client.isGone && path.server.isGone })
    }

    @Test func `a host that reads nothing of one channel holds up others only for so long`() {
        let path = Path()
        #expect(path.run { path.clientNews.contains("0 opened") })
        let channel = path.client.open() ?? 0
        let piece = [UInt8](repeating: 1, count: 1_000_000)
        var (sent, read, other) = (0, 0, 0)
        var movedAt = path.now
        _ = path.run {
            let count = piece.withUnsafeBytes { path.client.write($0, on: channel) }
            sent += count
            if count > 0 { movedAt = path.now }
            return path.now > movedAt + .milliseconds(500)
        }
        // What is dealt out, what has arrived, and what has yet to leave.
        let most = Int(PacedChannels.mostUnread + PacedEnd.window) + 3_000_000
        #expect(sent > 10_000_000 && sent < most)
        let isThere = path.run {
            if other == 0 { other = [UInt8(2)].withUnsafeBytes { path.client.write($0, on: 0) } }
            read += path.server.read(atMost: 8 << 20, on: channel, at: path.now).count
            return path.server.hasUnread(on: 0)
        }
        #expect(isThere && read <= sent)
    }

    @Test func `what no frame begins with ends the session, and both sides hear of it`() {
        let path = Path(clientHasChannels: false)
        #expect(path.run { path.clientNews.contains("0 opened") })
        let bytes: [UInt8] = [0, 0, 0x40, 1, 2, 3]
        _ = bytes.withUnsafeBytes { path.client.write($0, on: 0) }
        let isHeard = path.run {
            path.serverNews.contains { $0.hasPrefix("0 over") }
                && path.clientNews.contains { $0.hasPrefix("0 over") }
        }
        #expect(isHeard)
    }

    @Test func `a channel that is broken off ends at once, and others go on`() {
        let path = Path()
        #expect(path.run { path.clientNews.contains("0 opened") })
        let channel = path.client.open() ?? 0
        let piece = [UInt8](repeating: 1, count: 500_000)
        _ = piece.withUnsafeBytes { path.client.write($0, on: channel) }
        path.client.breakOff(channel, at: path.now)
        #expect(path.run { path.serverNews.contains { $0.hasPrefix("1 over") } })
        _ = [UInt8(2)].withUnsafeBytes { path.client.write($0, on: 0) }
        #expect(path.run { path.server.hasUnread(on: 0) })
    }
}
