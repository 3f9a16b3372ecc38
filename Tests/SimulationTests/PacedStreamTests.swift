import Content
import LinkModels
import Protocols
import Quantities
import RunLog
import Simulation
import Testing

/// A stream of the paced transport as its hosts know it: content both ways, and every end.
@Suite struct PacedStreamTests {
    private static func hosts(losing loss: Double = 0) -> TwoHosts {
        let plans = ["uplink", "downlink"].map { name in
            LinkPlan(
                name: name,
                filters: loss == 0
                    ? [] : [.independentLoss(Probability(percent: loss) ?? .never)],
                delay: .milliseconds(20),
                bottleneck: BottleneckPlan(
                    rate: Bitrate(bitsPerSecond: 20_000_000),
                    queue: .dropTail(limit: ByteCount(100_000))))
        }
        return TwoHosts(plans[0], plans[1])
    }

    /// A stream in the middle of 20 MB.
    private static func inTheMiddle() -> TwoHosts {
        let hosts = hosts()
        hosts.openPaced(sending: [.content(.file(1, 20_000_000))])
        hosts.play(until: Instant(nanoseconds: 2_000_000_000))
        return hosts
    }

    @Test(arguments: [0.0, 10]) func `content goes both ways, and both ends end in order`(
        loss: Double
    ) throws {
        let hosts = Self.hosts(losing: loss)
        hosts.answer = [.content(.file(2, 3_000_000))]
        let client = hosts.openPaced(sending: [.content(.file(1, 2_000_000))])
        hosts.play()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [.file(1, 2_000_000)])
        #expect(hosts.received[client] == [.file(2, 3_000_000)])
        #expect(hosts.ends == [client: .closed, server: .closed])
        #expect(hosts.network.transmitted(client) == ByteCount(2_000_000))
        #expect(hosts.network.session(of: server) == 1)
    }

    @Test func `who breaks off is heard`() throws {
        let hosts = Self.inTheMiddle()
        let (client, server) = (try #require(hosts.client), try #require(hosts.server))
        hosts.network.reset(client)
        hosts.play()
        #expect(hosts.ends == [client: .aborted, server: .reset])
    }

    @Test func `a server that breaks off is heard`() throws {
        let hosts = Self.inTheMiddle()
        let client = try #require(hosts.client)
        hosts.network.abort(try #require(hosts.server))
        hosts.play()
        #expect(hosts.ends == [client: .reset])
    }

    @Test func `a process that dies is missed by who has something to send`() throws {
        let hosts = Self.inTheMiddle()
        let (client, server) = (try #require(hosts.client), try #require(hosts.server))
        hosts.network.abandon(client)
        hosts.network.send(server, [.content(.file(2, 100_000))])
        hosts.play()
        #expect(hosts.ends == [client: .processDied, server: .timedOut])
        // It never heard of anything that it had sent.
        #expect((11.9...12.1).contains(Double(hosts.network.now.nanoseconds) / 1e9))
    }

    @Test func `without a server the client's system hears that nobody listens`() throws {
        let hosts = Self.inTheMiddle()
        let client = try #require(hosts.client)
        hosts.network.crash(try #require(hosts.server))
        hosts.network.stopListening(.server, port: TwoHosts.port)
        hosts.play()
        #expect(hosts.ends == [client: .reset])
        let next = hosts.openPaced(2, isKnown: false)
        hosts.play()
        #expect(hosts.ends[next] == .refused)
    }

    @Test func `a session that nobody knows, or a cut way, is silence`() throws {
        let hosts = Self.hosts()
        let client = hosts.openPaced(isKnown: false)
        hosts.play()
        #expect(hosts.ends == [client: .timedOut])
        #expect(hosts.network.now == .start + .seconds(10))
        let cut = Self.inTheMiddle()
        cut.network.cutWays(of: 0, WayCut(answer: .none))
        cut.play()
        #expect(cut.ends == [try #require(cut.client): .timedOut])
    }

    @Test func `a stream that is closed before it is open leaves nothing behind`() {
        let hosts = Self.hosts()
        let client = hosts.openPaced()
        hosts.network.finish(client)
        hosts.play()
        #expect(hosts.ends == [client: .closed])
        #expect(hosts.packets.isEmpty && hosts.server == nil)
    }

    @Test func `what is written after the end, or to a stream that is over, is dropped`() throws {
        let hosts = Self.hosts()
        let client = hosts.openPaced(sending: [.content(.file(1, 10_000))])
        hosts.play(until: Instant(nanoseconds: 100_000_000))
        hosts.network.send(client, [.content(.file(2, 10_000))])
        hosts.play()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [.file(1, 10_000)])
        hosts.network.send(client, [.content(.file(2, 10_000))])
        hosts.network.pace(client, PacedSettings(policy: .low))
        hosts.network.crash(server)
        hosts.network.reset(client)
        hosts.play()
        #expect(hosts.ends == [client: .closed, server: .closed])
        #expect(hosts.network.room(client) == .zero)
        #expect(hosts.network.transmitted(client) == ByteCount(10_000))
    }
}
