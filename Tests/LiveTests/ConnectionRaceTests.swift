import Glibc
import Quantities
import Testing
import TransferEngine

@testable import Live
@testable import TransferHost

/// Ways to a server that has several addresses (RFC 8305).
@Suite struct ConnectionRaceTests {
    /// A port whose queue of connections is full: the kernel lets another wait, and says nothing.
    private final class FullPort {
        private let descriptor: Descriptor
        private var waiting: [ConnectionRace.Attempt] = []
        let number: UInt16

        init() throws {
            descriptor = try Descriptor.tcpSocket()
            let socket = descriptor.number
            var address = try #require(sockaddr_in(ipv4: "127.0.0.1", port: 0))
            let isListening = address.withSocketAddress { address, length in
                var length = length
                return bind(socket, address, length) == 0 && listen(socket, 0) == 0
                    && getsockname(socket, address, &length) == 0
            }
            try #require(isListening)
            number = UInt16(bigEndian: address.sin_port)
            waiting.append(.init(try TCPStream(connectingTo: "127.0.0.1", port: number)))
        }
    }

    private static func address(_ port: UInt16) throws -> InternetAddress {
        try #require(InternetAddress("127.0.0.1", port: port))
    }

    /// Waits for the kernel, and lets the race go on.
    private static func step(
        _ race: inout ConnectionRace, at now: Instant
    ) -> ConnectionRace.Outcome {
        var ready = race.wanted
        poll(&ready, nfds_t(ready.count), 10_000)
        return race.advance(ready[...], at: now, securedBy: nil)
    }

    @Test func `an address that refuses is followed by the next at once`() throws {
        let dead = try DeadPort()
        let listener = try TCPListener()
        var race = ConnectionRace(
            to: [try Self.address(dead.number), try Self.address(listener.port)])
        #expect(race.deadline == .start)
        guard case .underWay = race.advance([], at: .start, securedBy: nil) else {
            return #expect(Bool(false), "it has not begun")
        }
        guard case .underWay = Self.step(&race, at: .start) else {
            return #expect(Bool(false), "the second address was not tried")
        }
        guard case .won = Self.step(&race, at: .start) else {
            return #expect(Bool(false), "the second address has not won")
        }
    }

    @Test func `an address that is silent for a quarter of a second has a rival`() throws {
        let full = try FullPort()
        let listener = try TCPListener()
        var race = ConnectionRace(
            to: [try Self.address(full.number), try Self.address(listener.port)])
        _ = race.advance([], at: .start, securedBy: nil)
        #expect(race.deadline == .start + ConnectionRace.pause && race.wanted.count == 1)
        let early = Instant.start + .milliseconds(249)
        _ = race.advance([], at: early, securedBy: nil)
        #expect(race.wanted.count == 1)
        _ = race.advance([], at: .start + .milliseconds(250), securedBy: nil)
        #expect(race.wanted.count == 2 && race.deadline == nil)
        guard case .won(let end) = Self.step(&race, at: .start + .milliseconds(251)) else {
            return #expect(Bool(false), "the rival has not won")
        }
        #expect(end.stream.connectionError == nil)
        #expect(try listener.accept() != nil)
    }

    @Test func `without an address that answers it is lost, for the last reason`() throws {
        let dead = try DeadPort()
        var race = ConnectionRace(to: [try Self.address(dead.number)])
        _ = race.advance([], at: .start, securedBy: nil)
        guard case .lost(.refused) = Self.step(&race, at: .start) else {
            return #expect(Bool(false), "somebody answers")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", AF_INET), ("::1", AF_INET6), ("2001:db8::7", AF_INET6),
        ("::ffff:127.0.0.1", AF_INET6), ("fe80::1%lo", AF_INET6),
    ])
    func `an address is one of its family`(text: String, family: Int32) throws {
        let address = try #require(InternetAddress(text, port: 80))
        #expect(address.family == family)
    }

    @Test(arguments: ["", "localhost", "127.1", "1.2.3.4.5", "::1::", "a:b", "[::1]"])
    func `a name is no address`(text: String) {
        #expect(InternetAddress(text, port: 80) == nil)
    }

    @Test func `a machine knows its own addresses by name`() {
        let found = InternetAddress.addresses(of: "localhost", port: 80)
        #expect(found.contains { $0.family == AF_INET })
        #expect(Set(found.prefix(2).map(\.family)).count == min(found.count, 2))
        #expect(InternetAddress.addresses(of: "nobody.invalid", port: 80).isEmpty)
    }
}
