import Glibc
import Quantities
import RunPlan
import Testing
import TransferHost

@testable import Live

/// UDP sockets that send and receive several datagrams by one call.
@Suite struct DatagramSocketTests {
    /// Fills a batch with datagrams of these lengths, whose bytes tell their number.
    private static func fill(_ batch: DatagramBatch, _ lengths: [Int]) throws {
        for (number, length) in lengths.enumerated() {
            let space = try #require(batch.space(of: length))
            for place in 0..<length { space[place] = UInt8(truncatingIfNeeded: number) }
            batch.add(length)
        }
    }

    /// Receives so many datagrams.
    private static func receive(
        _ count: Int, from socket: borrowing DatagramSocket
    ) -> [(bytes: [UInt8], from: SocketAddress)] {
        let inbox = DatagramInbox()
        var received: [(bytes: [UInt8], from: SocketAddress)] = []
        let clock = MachineClock()
        while received.count < count, clock.now.sinceStart < .seconds(10) {
            if socket.receive(into: inbox) == .datagrams {
                inbox.forEach { received.append((Array($0), $1)) }
            }
        }
        return received
    }

    @Test(arguments: [
        [1_472], Array(repeating: 1_472, count: 100), Array(repeating: 1_472, count: 44) + [90],
        [90, 1_472, 1_472, 700, 700, 90, 90, 1_472], (1...70).map { $0 * 20 },
        (1...70).reversed().map { $0 * 20 },
    ])
    func `datagrams arrive as they were, and in order`(lengths: [Int]) throws {
        let server = try DatagramSocket(host: "127.0.0.1", port: 0)
        let client = try DatagramSocket(connectingTo: "127.0.0.1", port: server.port)
        let batch = DatagramBatch()
        try Self.fill(batch, lengths)
        #expect(client.send(batch) == .all)
        #expect(batch.isEmpty)
        let received = Self.receive(lengths.count, from: server)
        #expect(received.map(\.bytes.count) == lengths)
        for (number, datagram) in received.enumerated() {
            #expect(datagram.bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: number) })
        }
        // The answer goes to where the datagrams came from.
        let peer = try #require(received.first?.from)
        #expect(peer.isOfDatagrams)
        let answer = DatagramBatch(to: peer)
        try Self.fill(answer, lengths)
        #expect(server.send(answer) == .all)
        #expect(Self.receive(lengths.count, from: client).map(\.bytes.count) == lengths)
    }

    @Test func `a batch is filled up to its end, and then again`() throws {
        let server = try DatagramSocket(host: "127.0.0.1", port: 0)
        let client = try DatagramSocket(connectingTo: "127.0.0.1", port: server.port)
        let batch = DatagramBatch()
        for _ in 0..<3 {
            var count = 0
            while let space = batch.space(of: 1_472) {
                space[0] = 1
                batch.add(1_472)
                count += 1
            }
            #expect(count == (256 << 10) / 1_472)
            #expect(client.send(batch) == .all)
            #expect(Self.receive(count, from: server).count == count)
        }
    }

    @Test func `the system says that nobody listens`() throws {
        let port = try DatagramSocket(host: "127.0.0.1", port: 0).port
        let client = try DatagramSocket(connectingTo: "127.0.0.1", port: port)
        let batch = DatagramBatch()
        try Self.fill(batch, [10])
        #expect(client.send(batch) == .all)
        let inbox = DatagramInbox()
        let clock = MachineClock()
        var wasRefused = false
        while !wasRefused, clock.now.sinceStart < .seconds(10) {
            wasRefused = client.receive(into: inbox) == .refused
        }
        #expect(wasRefused)
    }

    @Test func `a port that somebody has is refused, and another one is taken`() throws {
        let first = try DatagramSocket(host: "127.0.0.1", port: 0)
        let error = #expect(throws: SystemError.self) {
            _ = try PacedPort(behind: .open, at: "127.0.0.1", first.port)
        }
        #expect(error?.code == EADDRINUSE)
        let other = try PacedPort(behind: .open, near: "127.0.0.1", first.port)
        #expect(other.number != first.port && other.number > 0)
    }
}
