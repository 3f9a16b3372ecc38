import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct TLSRoundTripTests {
    static let secured = TransportSecurity.allCases.filter { $0 != .none }

    /// At 8 Mbit/s a byte takes a microsecond; a round trip is 20 ms.
    @Test(arguments: secured)
    func `the first request waits for the round trips of the handshake and its bytes, no more`(
        security: TransportSecurity
    ) throws {
        let plain = try #require(SecuredRun(.none).establishedAt)
        let run = try SecuredRun(security)
        let waited = (try #require(run.establishedAt) - plain).nanoseconds / 1_000
        let flights = TLSFlights(security)
        let needed = flights.bytes.prefix(flights.awaited)
        // What the client says last waits for nobody.
        let awaited = needed.count.isMultiple(of: 2) ? needed : needed.dropLast()
        #expect(awaited.count == 2 * security.roundTrips)
        let bytes = awaited.reduce(0) { sum, flight in
            let packets = (flight.count + 1447) / 1448
            return sum + flight.count + packets * 52
        }
        let least = 20_000 * security.roundTrips + bytes
        // In front of each flight the acknowledgement of the one before it may leave.
        #expect((least...least + 60 * awaited.count).contains(Int(waited)), "\(waited) µs")
    }

    @Test(arguments: secured)
    func `an upload is later by the handshake and the records, no more`(
        security: TransportSecurity
    ) throws {
        let plain = try SecuredRun(.none)
        let run = try SecuredRun(security)
        let handshake = try #require(run.establishedAt) - (try #require(plain.establishedAt))
        let later = try #require(run.publishedAt) - (try #require(plain.publishedAt))
        #expect(later > handshake)
        // Seven records of content and four of HTTP's heads; a packet more or less on the way.
        #expect(later < handshake + .milliseconds(3), "\(later) with \(handshake)")
    }

    @Test func `a full handshake carries certificates, and a resumed one does not`() {
        let chain = CertificateChain.leafSize + CertificateChain.intermediateSize
        #expect(CertificateChain.certificates.map(\.count) == [1_700, 1_300])
        for security in Self.secured {
            let flights = TLSFlights(security).bytes
            // The record's head, and a hello of 512 bytes.
            #expect(flights[0].count == 517)
            #expect((flights[1].count > chain) == !security.isResumed, "\(flights[1].count) B")
            #expect(flights[1].count < chain + 700)
        }
    }

    @Test(arguments: [(TransportSecurity.tls13, 2), (.tls13Resumed, 1)])
    func `a server of TLS 1.3 sends tickets in records of their own, and nobody waits for them`(
        security: TransportSecurity, count: Int
    ) throws {
        let flights = TLSFlights(security)
        #expect(flights.awaited == 3)
        // Head, message, and what says its kind and authenticates it.
        #expect(flights.bytes[3].count == count * (5 + 4 + 213 + 17))
        var server = TLSHandshake(isClient: false)
        #expect(server.take(.max, of: flights) == flights.bytes[0].count)
        #expect(server.flightToSend(of: flights) == flights.bytes[1])
        #expect(server.take(.max, of: flights) == flights.bytes[2].count)
        #expect(server.isDone(flights))
        #expect(server.flightToSend(of: flights) == flights.bytes[3])
        #expect(server.flightToSend(of: flights) == nil)
        // To their receiver they are records of no content.
        var opener = RecordOpener(RecordForm(security))
        var content: [Segment] = []
        opener.open([.bytes(flights.bytes[3])], into: &content)
        #expect(content.isEmpty)
    }

    @Test(arguments: secured)
    func `the log says when TLS begins, and counts content without records`(
        security: TransportSecurity
    ) throws {
        let run = try SecuredRun(security)
        let plain = try SecuredRun(.none)
        #expect(plain.transmitted.count == 1)
        #expect(run.transmitted == plain.transmitted)
        let began = run.events.first {
            if case .connection(.securing(_, with: security.words)) = $0.fact {
                true
            } else {
                false
            }
        }
        #expect(began?.at == plain.establishedAt)
    }

    @Test(arguments: secured)
    func `losses in a handshake are repaired as others are`(security: TransportSecurity) throws {
        for lost in UInt64(0)..<12 {
            let run = try SecuredRun(security, uplink: .plain("uplink").losing([lost]))
            #expect(run.publishedAt != nil, "\(lost) lost")
        }
    }

    /// At 23 ms TCP stands, and TLS does not.
    @Test(arguments: secured, [23, 45, 65, 100])
    func `an app that is killed leaves no handshake behind`(
        security: TransportSecurity, milliseconds: UInt64
    ) throws {
        let run = try SecuredRun(
            security,
            timeline: [
                TimelineEntry(
                    at: Instant(nanoseconds: milliseconds * 1_000_000), .killApp),
                TimelineEntry(at: Instant(nanoseconds: 1_000_000_000), .launchApp),
            ])
        #expect(run.publishedAt != nil)
        #expect(run.transmitted.count == 2)
        let sent = run.transmitted.reduce(0) { $0 + $1.bytes }
        #expect(sent < SecuredRun.fileSize * 2)
    }

    @Test func `without TLS not a packet is different`() throws {
        let run = try SecuredRun(.none)
        // HTTP's heads and the file, and nothing around them.
        let most = run.packets.filter { $0.link == 0 && $0.kind == .sent }
            .reduce(0) { $0 + UInt64($1.payload) }
        #expect((SecuredRun.fileSize..<SecuredRun.fileSize + 500).contains(most), "\(most) B")
    }
}
