import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Behaviours A15 and A16 over the paced transport: a session asks the server for a session of it,
/// and then runs on the stream. Where that is not to be had, it says why, or goes over TCP.
@Suite struct PacedSessionTests {
    /// A session that has asked the server for a session of the paced transport.
    private static func asked(
        _ transport: TransferTransport = .paced, rate: RateWish = RateWish()
    ) -> QueueBench {
        var bench = QueueBench(sessions: 0)
        var request = QueueBench.request
        request.settings.transport = transport
        request.settings.rate = rate
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        return bench
    }

    @Test func `a session asks with its rates, and opens the stream that it is given`() throws {
        var bench = Self.asked(
            rate: RateWish(policy: .high, target: 5_000_000, minimum: 100_000))
        let request = try #require(bench.written.last)
        #expect(request.hasPrefix("POST /paced HTTP/1.1\r\n"))
        for field in ["Policy: high", "Target: 5000000", "Minimum: 100000"] {
            #expect(request.contains("\r\nPaced-\(field)\r\n"), "\(request)")
        }
        #expect(!bench.heard.contains("1 did start running"))
        bench.grants()
        let route = try #require(bench.route)
        #expect(route.session == 0xa7)
        #expect(route.port == 33_001)
        #expect(route.account == QueueBench.access)
        #expect(route.control == ConnectionID(1))
        #expect(route.server.bytes == Array(0..<16))
        let nonce = route.client.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(request.contains("\r\nPaced-Nonce: \(nonce)\r\n"))
        #expect(!bench.heard.contains("1 did start running"))
        bench.streamOpens()
        #expect(bench.heard.contains("1 did start running"))
        #expect(bench.ended == [ConnectionID(1)])
        bench.finish(isConnected: true)
        #expect(bench.state(1) == .completed)
    }

    @Test func `without a wish for it nobody asks for the paced transport`() {
        let bench = Self.asked(.http)
        #expect(!bench.written.contains { $0.contains("/paced") })
        #expect(bench.heard.contains("1 did start running"))
    }

    @Test(arguments: [Disconnection.timedOut, .refused]) func `a session that may goes over TCP`(
        why: Disconnection
    ) {
        var bench = Self.asked(.pacedOrHTTP)
        bench.grants()
        bench.streamFails(why)
        #expect(bench.errors.isEmpty)
        #expect(bench.notes.contains("session 1 falls back to TCP: UDP does not pass"))
        #expect(bench.heard.contains("1 did start running"))
        bench.finish(isConnected: true)
        #expect(bench.state(1) == .completed)
        #expect(bench.ended == [ConnectionID(1)])
    }

    @Test func `a session that may goes over TCP if the server does not know the transport`() {
        for answer in ["404 Not Found", "405 Method Not Allowed", "501 Not Implemented"] {
            var bench = Self.asked(.pacedOrHTTP)
            bench.hears(answer)
            #expect(bench.notes.contains { $0.hasSuffix("the server does not offer it") })
            bench.finish(isConnected: true)
            #expect(bench.state(1) == .completed)
        }
    }

    @Test func `an answer that grants nothing is a protocol error`() {
        let nonce = "Paced-Nonce: 000102030405060708090a0b0c0d0e0f"
        for answer in [
            "200 OK", "201 Created",
            "201 Created\r\nPaced-Session: a7\r\nPaced-Port: 33001\r\n\(nonce)",
            "201 Created\r\nPaced-Session: 00000000000000a7\r\nPaced-Port: 70000\r\n\(nonce)",
            "201 Created\r\nPaced-Session: 00000000000000a7\r\nPaced-Port: 33001",
        ] {
            var bench = Self.asked()
            bench.hears(answer)
            #expect(bench.errors == [.protocolViolation], "\(answer)")
        }
    }

    @Test func `a busy server is asked again later`() {
        var bench = Self.asked(.pacedOrHTTP)
        bench.hears("503 Service Unavailable")
        #expect(bench.errors == [.peerEndedSession])
        #expect(bench.active == 1)
    }

    @Test func `rates change under way, and nothing else does`() {
        var bench = Self.asked()
        bench.grants()
        var settings = QueueBench.plain
        settings.transport = .paced
        settings.rate = RateWish(policy: .low, target: 1_000_000)
        bench.tell(.command(.queue(.change(settings, of: SessionID(1)))))
        #expect(bench.paces == [ConnectionID(2)])
        bench.streamOpens()
        settings.rate.target = 2_000_000
        bench.tell(.command(.queue(.change(settings, of: SessionID(1)))))
        #expect(bench.paces == [ConnectionID(2), ConnectionID(2)])
        #expect(bench.kept[SessionID(1)]?.settings == settings)
        #expect(bench.refusals.isEmpty)
        settings.overwrite = .never
        bench.tell(.command(.queue(.change(settings, of: SessionID(1)))))
        settings.overwrite = .always
        settings.rate.target = 0
        bench.tell(.command(.queue(.change(settings, of: SessionID(1)))))
        #expect(
            bench.refusals == [.settingsInUse(SessionID(1), .running), .rates(.targetOfZero)])
        #expect(bench.paces.count == 2)
    }

    @Test func `a session that stops gives up the stream that it waits for`() {
        var bench = Self.asked()
        bench.grants()
        bench.ask(.stop, 1)
        #expect(bench.ended == [ConnectionID(2), ConnectionID(1)])
    }

    @Test func `a stream is given up when the connection that asked for it is lost`() {
        var bench = Self.asked()
        bench.grants()
        bench.lose(.reset)
        #expect(bench.errors == [.connectionLost])
        #expect(bench.ended == [ConnectionID(2)])
    }

    @Test func `the next attempt asks for another stream`() {
        var bench = Self.asked()
        bench.grants()
        bench.streamOpens()
        bench.lose(.timedOut)
        #expect(bench.errors == [.dataTimeout])
        bench.wait(.seconds(2))
        bench.connect()
        #expect(bench.written.count { $0.hasPrefix("POST /paced") } == 2)
    }

    @Test func `a network that is gone takes the waiting stream along`() {
        var bench = Self.asked()
        bench.grants()
        bench.streamFails(.networkLost)
        #expect(bench.errors.isEmpty)
        #expect(bench.state(1) == .retrying)
        #expect(bench.ended == [ConnectionID(1)])
    }
}
