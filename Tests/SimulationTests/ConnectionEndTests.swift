import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct ConnectionEndTests {
    private static let limit = Instant(nanoseconds: 60_000_000_000)

    /// Hosts in the middle of an upload of 10 MB.
    private func hostsInTheMiddle() -> TwoHosts {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 10_000_000))])
        hosts.play(until: Instant(nanoseconds: 2_000_000_000))
        return hosts
    }

    @Test func `an aborted connection is reset at the other end, and quiet at this`() throws {
        let hosts = hostsInTheMiddle()
        let client = try #require(hosts.client)
        let server = try #require(hosts.server)
        hosts.events = []
        hosts.network.abort(client)
        hosts.play()
        #expect(hosts.ends == [server: .reset])
        #expect(hosts.network.nextEventTime == nil)
        let last = try #require(hosts.packets.last { $0.link == 0 && $0.kind == .sent })
        #expect(last.flags.contains(.rst))
    }

    @Test func `when the process dies what the stack has taken drains, and not a byte more`() throws
    {
        let hosts = hostsInTheMiddle()
        let client = try #require(hosts.client)
        let server = try #require(hosts.server)
        let taken = hosts.queued[client] ?? .zero
        #expect(hosts.network.transmitted(client) < taken)
        hosts.network.abandon(client)
        hosts.waiting[client] = nil
        hosts.play()
        #expect(hosts.received[server] == [.file(1, taken.bytes)])
        #expect(hosts.network.transmitted(client) == taken)
        #expect(hosts.network.acknowledged(client) == taken)
        #expect(hosts.ends == [client: .closed, server: .closed])
    }

    @Test func `content for a process that died is answered with a reset`() throws {
        let hosts = hostsInTheMiddle()
        let client = try #require(hosts.client)
        let server = try #require(hosts.server)
        hosts.network.abandon(client)
        hosts.waiting[client] = nil
        hosts.network.send(server, [.content(.file(2, 100))])
        hosts.play()
        #expect(hosts.ends == [client: .reset, server: .reset])
        #expect(hosts.received[client] == nil)
    }

    @Test func `a process that dies before its connection stands leaves nothing behind`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 10_000_000))])
        let client = try #require(hosts.client)
        hosts.network.abandon(client)
        hosts.play()
        #expect(hosts.events.isEmpty)
        #expect(hosts.network.nextEventTime == nil)
    }

    @Test func `a connection that is closed before it stands is gone at once`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.open(sending: [])
        let client = try #require(hosts.client)
        hosts.network.finish(client)
        hosts.play()
        #expect(hosts.ends == [client: .closed])
        #expect(hosts.server == nil)
        let packets = hosts.packets.filter { $0.link == 0 && $0.kind == .sent }
        #expect(packets.count { $0.flags.contains(.fin) } == 0)
    }

    @Test func `one direction may go on long after the other has ended`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.answer = [.content(.file(2, 3_000_000))]
        hosts.open()
        hosts.play()
        let client = try #require(hosts.client)
        #expect(hosts.received[client] == [.file(2, 3_000_000)])
        let finished = hosts.events.firstIndex {
            if case .peerFinished(let handle) = $0 { handle != client } else { false }
        }
        let lastRead = hosts.events.lastIndex(of: .readable(client))
        #expect(try #require(finished) < #require(lastRead))
    }

    @Test func `what is written to a connection that is over goes nowhere`() throws {
        let hosts = hostsInTheMiddle()
        let client = try #require(hosts.client)
        hosts.network.abort(client)
        let before = hosts.network.transmitted(client)
        hosts.network.send(client, [.content(.file(1, 100))])
        hosts.play()
        #expect(hosts.network.transmitted(client) == before)
    }
}
