import Protocols
import Quantities
import Testing
import TransferHost

/// The two ends of a session over the paced transport, with real bytes in sealed datagrams.
@Suite struct PacedLineTests {
    private static func content(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = RandomStream(seed: seed, name: "content")
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.below(256)) }
    }

    /// Sends content both ways at once, and returns what has arrived at the server and the client.
    private static func exchange(
        _ up: [UInt8], _ down: [UInt8], over path: LinePath, for seconds: Int64 = 300
    ) -> (up: [UInt8], down: [UInt8], isOver: Bool) {
        var sent = (up: 0, down: 0)
        var arrived: (up: [UInt8], down: [UInt8]) = ([], [])
        var ends = 0
        var isOpen = path.isOpen
        let isOver = path.run(for: seconds) {
            sent.up += path.client.write(up[sent.up...])
            // There is no server's end before a client has greeted it.
            if isOpen { sent.down += path.server.write(down[sent.down...]) }
            arrived.up += path.server.read(atMost: 100_000, at: path.now)
            arrived.down += path.client.read(atMost: 100_000, at: path.now)
            if isOpen, sent.up == up.count { path.client.finish() }
            if isOpen, sent.down == down.count { path.server.finish() }
            for news in [path.client.news(), path.server.news()] {
                isOpen = isOpen || news.contains(.opened)
                ends += news.count { $0 == .over(.closed) }
            }
            return ends == 2 && arrived.up.count == up.count && arrived.down.count == down.count
        }
        return (arrived.up, arrived.down, isOver)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `bytes go both ways over a path that loses, doubles and reorders`(seed: UInt64) {
        let path = LinePath(seed: seed)
        path.lost = seed > 2 ? 0.1 : 0
        path.doubled = 0.02
        path.late = seed > 4 ? 0.1 : 0
        let up = Self.content(1_500_000, seed: seed)
        let down = Self.content(700_000, seed: seed + 100)
        let result = Self.exchange(up, down, over: path)
        let (isOver, isUp, isDown) = (result.isOver, result.up == up, result.down == down)
        #expect(isOver && isUp && isDown, "\(result.up.count) B and \(result.down.count) B")
    }

    @Test func `a bit that flips on the way costs a packet, and nothing else`() {
        let path = LinePath(PacedSettings(target: Bitrate(bitsPerSecond: 50_000_000)))
        path.spoiled = 0.05
        let up = Self.content(1_000_000, seed: 1)
        let down = Self.content(300_000, seed: 2)
        let result = Self.exchange(up, down, over: path)
        let (isOver, isUp, isDown) = (result.isOver, result.up == up, result.down == down)
        #expect(isOver && isUp && isDown)
        #expect(path.refused > 30)
    }

    @Test func `nobody but the peer opens a session, or changes it`() throws {
        let stranger = PacedKeys(
            authorization: "Basic bW9ubzpsYWtl", client: PacedNonce(identity: 1, count: 2),
            server: PacedNonce(identity: 3, count: 4))
        let path = LinePath(clientKeys: stranger)
        #expect(path.run(for: 20) { path.client.news() == [.over(.silent)] })
        #expect(path.refused > 3)
        #expect(path.server.news().isEmpty)
    }

    @Test func `a million datagrams that are forged, cut off or replayed change nothing`() {
        let path = LinePath(PacedSettings(target: Bitrate(bitsPerSecond: 20_000_000)))
        path.keepsDatagrams = true
        let up = Self.content(1_000_000, seed: 1)
        var sent = 0
        var arrived: [UInt8] = []
        let isWhole = path.run {
            sent += path.client.write(up[sent...])
            arrived += path.server.read(atMost: 100_000, at: path.now)
            return arrived.count == up.count
        }
        #expect(isWhole)
        _ = (path.client.news(), path.server.news())
        path.isOpen = true
        var random = RandomStream(seed: 1, name: "forger")
        let known = path.datagrams
        let before = path.refused
        var altered = 0
        for _ in 0..<1_000_000 {
            var (bytes, isForServer) = known[Int(random.below(UInt64(known.count)))]
            switch random.below(4) {
            // A replay is genuine, and not needed.
            case 0: break
            case 1:
                bytes[Int(random.below(UInt64(bytes.count)))] ^= 1 << UInt8(random.below(8))
                altered += 1
            case 2:
                bytes.removeLast(Int(random.below(UInt64(bytes.count))) + 1)
                altered += 1
            default:
                bytes.append(0)
                altered += 1
            }
            path.deliver(bytes, toServer: isForServer)
        }
        #expect(path.refused - before == altered)
        #expect(path.client.news().isEmpty)
        #expect(path.server.news().isEmpty)
        // The session goes on.
        let more = Self.content(100_000, seed: 2)
        let rest = Self.exchange(more, Self.content(1_000, seed: 3), over: path)
        let (isOver, isMore) = (rest.isOver, rest.up == more)
        #expect(isOver && isMore)
    }

    @Test func `whoever does not read stops the sender, and lets it go on`() {
        let path = LinePath(PacedSettings(target: Bitrate(bitsPerSecond: 1_000_000_000)))
        path.delay = .milliseconds(2)
        path.lost = 0.02
        let piece = Self.content(1 << 20, seed: 1)
        var sent = 0
        let wholeOf = 48 << 20
        #expect(
            !path.run(for: 40) {
                guard sent < wholeOf else { return true }
                sent += path.client.write(piece[(sent % piece.count)...])
                return false
            })
        let window = Int(PacedEnd.window)
        #expect(sent >= window && sent <= window + 2 * piece.count, "\(sent) B were taken")
        #expect(!path.client.news().contains { if case .over = $0 { true } else { false } })
        var read = 0
        var isRight = true
        let isWhole = path.run(for: 40) {
            if sent < wholeOf {
                sent += path.client.write(piece[(sent % piece.count)...].prefix(wholeOf - sent))
            }
            while path.server.hasUnread {
                let bytes = path.server.read(atMost: 64 << 10, at: path.now)
                for (place, byte) in bytes.enumerated() {
                    isRight = isRight && byte == piece[(read + place) % piece.count]
                }
                read += bytes.count
            }
            return read == wholeOf
        }
        #expect(isWhole, "\(read) B were read")
        #expect(isRight)
    }

    @Test func `whoever closes without reading lets the other finish`() {
        let path = LinePath(PacedSettings(target: Bitrate(bitsPerSecond: 1_000_000_000)))
        path.delay = .milliseconds(2)
        let piece = Self.content(1 << 20, seed: 1)
        // More than the window has room for waits on the client's side.
        _ = path.run(for: 10) {
            _ = path.client.write(piece[...])
            _ = path.client.news()
            return false
        }
        path.client.finish()
        path.server.finish()
        path.server.ignore()
        var ends = 0
        let isOver = path.run(for: 20) {
            ends += path.client.news().count { $0 == .over(.closed) }
            ends += path.server.news().count { $0 == .over(.closed) }
            return ends == 2
        }
        #expect(isOver)
    }

    @Test func `datagrams have the size that the interface carries`() {
        for (isIPv6, longest) in [(false, 1_472), (true, 1_452)] {
            let path = LinePath(overIPv6: isIPv6)
            path.keepsDatagrams = true
            let up = Self.content(200_000, seed: 1)
            let isOver = Self.exchange(up, [], over: path).isOver
            #expect(isOver)
            #expect(path.datagrams.map(\.bytes.count).max() == longest)
        }
    }

    /// The keys and the datagram were made by another implementation of RFC 5869 and of GCM.
    @Test func `a datagram is sealed as the specification has it`() throws {
        let keys = PacedKeys(
            authorization: "Basic YWRhOmVuZ2luZQ==",
            client: PacedNonce(identity: 0x0001_0203_0405_0607, count: 0x0809_0a0b_0c0d_0e0f),
            server: PacedNonce(identity: 0x1011_1213_1415_1617, count: 0x1819_1a1b_1c1d_1e1f))
        let seal = PacedSeal(keys, session: 0xa7, at: .client)
        var datagram = [UInt8](repeating: 0, count: 17 + 10 + 16)
        datagram.replaceSubrange(17..<27, with: [0, 0, 0, 1, 0, 0, 0, 5, 0, 50])
        datagram.withUnsafeMutableBytes { seal.seal(.packet(.probe), number: 5, $0) }
        let text = datagram.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            text == "0200000000000000a70000000000000005"
                + "9556fcf050a42f568685a312ddece4bfa1ee9cd0b28577058cd4")
        let peer = PacedSeal(keys, session: 0xa7, at: .server)
        let body = datagram.withUnsafeMutableBytes { bytes in
            PacedHead(UnsafeRawBufferPointer(bytes)).flatMap { peer.open($0, bytes) }.map(
                Array.init)
        }
        #expect(body == [0, 0, 0, 1, 0, 0, 0, 5, 0, 50])
    }
}
