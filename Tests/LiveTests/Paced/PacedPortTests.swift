import Glibc
import Protocols
import Quantities
import RunPlan
import Testing
import TransferEngine
import TransferHost

@testable import DocrootServer
@testable import Live

/// The server's port of the paced transport, and a client whose address changes.
@Suite struct PacedPortTests {
    private static let address = "127.0.0.1"
    private static let nonces = (
        client: PacedNonce(identity: 1, count: 1), server: PacedNonce(identity: 2, count: 1)
    )

    /// A router between a client and a port, which can give the client another address.
    private final class Router {
        private let inside: Int32
        private var outside: Int32
        private var client = sockaddr_in()
        private var server: sockaddr_in
        let port: UInt16
        /// Datagrams of the client, as the server got them.
        private(set) var seen: [[UInt8]] = []

        init(to server: UInt16) throws {
            self.server = try #require(sockaddr_in(ipv4: PacedPortTests.address, port: server))
            (inside, port) = try Self.socket()
            (outside, _) = try Self.socket()
        }

        deinit {
            close(inside)
            close(outside)
        }

        static func socket() throws -> (Int32, UInt16) {
            let number = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var own = try #require(sockaddr_in(ipv4: PacedPortTests.address, port: 0))
            own.withSocketAddress { address, length in
                var length = length
                #expect(bind(number, address, length) == 0)
                #expect(getsockname(number, address, &length) == 0)
            }
            return (number, UInt16(bigEndian: own.sin_port))
        }

        /// Forgets the client: what it sends next comes from elsewhere.
        func forget() throws {
            close(outside)
            (outside, _) = try Self.socket()
        }

        /// Passes on what has come on both sides.
        func pass() {
            var bytes = [UInt8](repeating: 0, count: 2_000)
            while let count = Self.receive(on: inside, &bytes, from: &client) {
                seen.append(Array(bytes[..<count]))
                Self.send(bytes[..<count], on: outside, to: &server)
            }
            var sender = sockaddr_in()
            while let count = Self.receive(on: outside, &bytes, from: &sender) {
                Self.send(bytes[..<count], on: inside, to: &client)
            }
        }

        static func receive(
            on number: Int32, _ bytes: inout [UInt8], from sender: inout sockaddr_in
        ) -> Int? {
            let count = sender.withSocketAddress { address, length in
                var length = length
                return recvfrom(
                    number, &bytes, bytes.count, Int32(MSG_DONTWAIT), address, &length)
            }
            return count > 0 ? count : nil
        }

        static func send(
            _ bytes: ArraySlice<UInt8>, on number: Int32, to receiver: inout sockaddr_in
        ) {
            receiver.withSocketAddress { address, length in
                _ = bytes.withUnsafeBytes {
                    sendto(number, $0.baseAddress, $0.count, 0, address, length)
                }
            }
        }
    }

    private static func session(_ rate: PacedSettings) -> PacedSession {
        PacedSession(
            number: 7, rates: rate, hasChannels: false, client: nonces.client,
            server: nonces.server, authorization: "")
    }

    @Test func `a session outlives the address of its client, and a stranger moves nothing`() throws
    {
        let clock = MachineClock()
        let rate = PacedSettings(target: Bitrate(bitsPerSecond: 40_000_000))
        let port = try PacedPort(behind: .open, at: Self.address, 0)
        port.admit(Self.session(rate))
        let router = try Router(to: port.number)
        let client = PacedClient(
            by: try DatagramSocket(connectingTo: Self.address, port: router.port), session: 7,
            PacedKeys(authorization: "", client: Self.nonces.client, server: Self.nonces.server),
            rate, at: clock.now)
        let (stranger, _) = try Router.socket()
        defer { close(stranger) }
        var server = try #require(sockaddr_in(ipv4: Self.address, port: port.number))
        let total = 4_000_000
        let piece = [UInt8](repeating: 9, count: 200_000)
        var (written, read, moves) = (0, 0, 0)
        var stream: PacedServerStream?
        let deadline = clock.now + .seconds(20)
        while read < total, clock.now < deadline {
            client.move(by: clock)
            if case .bytes(let bytes) = client.receive(atMost: 100_000, at: clock.now) {
                read += bytes.count
            }
            router.pass()
            for changed in port.receive(by: clock) { stream = changed }
            if let stream, written < total {
                if case .taken(let count) = piece.withUnsafeBytes({ stream.send($0) }) {
                    written += count
                }
            }
            _ = port.send(by: clock)
            // The server sends all the time, so each address brings its part.
            if read > total / 4 * (moves + 1), moves < 3 {
                moves += 1
                try router.forget()
            }
            // What the client has sent comes from a stranger as well, too late.
            for bytes in router.seen.suffix(3) {
                Router.send(bytes[...], on: stranger, to: &server)
            }
            var wanted = [client.wanted].compactMap(\.self)
            _ = clock.poll(&wanted, until: clock.now + .microseconds(200))
        }
        #expect(read >= total && moves == 3)
        var lost = [UInt8](repeating: 0, count: 2_000)
        var from = sockaddr_in()
        // A stranger gets a challenge at most, and never content.
        while let count = Router.receive(on: stranger, &lost, from: &from) { #expect(count < 100) }
    }
}
