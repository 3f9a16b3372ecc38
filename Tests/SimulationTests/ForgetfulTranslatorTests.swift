import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// A translator of addresses that forgets connections which are silent.
@Suite struct ForgetfulTranslatorTests {
    private static let limit = Instant.start + .seconds(60)

    /// Two ways, the first with a translator; both ends stay open when all is said.
    private static func hosts(
        forgetsAfter silence: TimeSpan = .seconds(10), resets: Bool = false,
        countsOnlyPayload: Bool = false
    ) -> TwoHosts {
        var ways = InterfacePlan.wifiAndCellular
        ways[0].translator = TranslatorPlan(
            forgetsAfter: silence, resets: resets, countsOnlyPayload: countsOnlyPayload)
        let hosts = TwoHosts(ways)
        hosts.staysOpen = true
        return hosts
    }

    /// Plays until then; a host's timer makes it the moment at which the hosts go on.
    private static func pass(_ time: TimeSpan, _ hosts: TwoHosts) {
        hosts.network.setTimer(slot: 0, at: .start + time)
        hosts.play(until: .start + time)
    }

    private static func forgotten(_ hosts: TwoHosts) -> [Instant] {
        hosts.facts.compactMap { event in
            if case .network(.mappingForgotten) = event.fact {
                event.at
            } else {
                nil
            }
        }
    }

    @Test func `a connection is forgotten so long after its last packet, to the nanosecond`()
        throws
    {
        let hosts = Self.hosts()
        hosts.open(sending: [.content(.file(1, 100_000))])
        hosts.play(until: Self.limit)
        // Those that the translator sees leave by the uplink or come by the downlink.
        let last = try #require(
            hosts.packets.filter {
                ($0.link == 0 && $0.kind == .sent) || ($0.link == 1 && $0.kind == .delivered)
            }.map(\.atNanoseconds).max())
        #expect(Self.forgotten(hosts) == [Instant(nanoseconds: last) + .seconds(10)])
    }

    @Test func `where only payload counts, a bare acknowledgement keeps nothing open`() throws {
        let hosts = Self.hosts(countsOnlyPayload: true)
        hosts.open(sending: [.content(.file(1, 100_000))])
        hosts.play(until: Self.limit)
        let seen = hosts.packets.filter {
            ($0.link == 0 && $0.kind == .sent) || ($0.link == 1 && $0.kind == .delivered)
        }
        let last = try #require(seen.filter { $0.payload > 0 }.map(\.atNanoseconds).max())
        #expect(last < seen.map(\.atNanoseconds).max() ?? 0)
        #expect(Self.forgotten(hosts) == [Instant(nanoseconds: last) + .seconds(10)])
    }

    @Test func `who speaks in time, in either direction, is remembered`() {
        for speaks in [\TwoHosts.client, \TwoHosts.server] {
            let hosts = Self.hosts()
            hosts.open(sending: [.content(.file(1, 1_000))])
            for second in stride(from: 9, through: 45, by: 9) {
                Self.pass(.seconds(Int64(second)), hosts)
                guard let end = hosts[keyPath: speaks] else { continue }
                hosts.network.send(end, [.content(.file(2, 1_000))])
            }
            hosts.play(until: .start + .seconds(50))
            #expect(Self.forgotten(hosts).isEmpty)
        }
    }

    @Test func `what comes after that is lost in silence`() throws {
        let hosts = Self.hosts()
        hosts.open(sending: [.content(.file(1, 1_000))])
        hosts.play(until: .start + .seconds(20))
        hosts.network.send(try #require(hosts.client), [.content(.file(2, 1_000))])
        hosts.network.send(try #require(hosts.server), [.content(.file(3, 1_000))])
        hosts.play(until: Self.limit)
        #expect(hosts.ends.isEmpty)
        #expect(hosts.received.values.flatMap { $0 } == [.file(1, 1_000)])
    }

    @Test func `a translator that answers resets who goes on, and not before`() throws {
        let hosts = Self.hosts(resets: true)
        hosts.open(sending: [.content(.file(1, 1_000))])
        hosts.play(until: .start + .seconds(20))
        #expect(Self.forgotten(hosts).count == 1 && hosts.ends.isEmpty)
        let client = try #require(hosts.client)
        hosts.network.send(client, [.content(.file(2, 1_000))])
        hosts.play(until: Self.limit)
        #expect(hosts.ends == [client: .reset])
    }

    @Test func `a connection that is over is not spoken of`() {
        let hosts = Self.hosts()
        hosts.staysOpen = false
        hosts.open(sending: [.content(.file(1, 1_000))])
        hosts.play(until: Self.limit)
        #expect(hosts.ends.count == 2 && Self.forgotten(hosts).isEmpty)
    }

    @Test func `the connections of another way are none of its business`() {
        let hosts = Self.hosts()
        hosts.open(over: 1, sending: [.content(.file(1, 1_000))])
        hosts.play(until: Self.limit)
        #expect(Self.forgotten(hosts).isEmpty)
    }

    @Test func `the next connection in the same place has a mapping of its own`() throws {
        let hosts = Self.hosts()
        hosts.staysOpen = false
        let first = hosts.open(sending: [.content(.file(1, 1_000))])
        Self.pass(.seconds(5), hosts)
        hosts.network.release(first)
        hosts.network.release(first.otherEnd)
        Self.pass(.seconds(7), hosts)
        hosts.staysOpen = true
        let second = hosts.open(listening: false, sending: [.content(.file(2, 1_000))])
        #expect(second == first)
        hosts.play(until: Self.limit)
        let times = Self.forgotten(hosts)
        #expect(times.count == 1 && times[0] > .start + .seconds(15))
    }

    @Test func `where nobody forgets, the same packets move as where nobody is silent`() {
        let quiet = TwoHosts(InterfacePlan.wifiAndCellular)
        let watched = Self.hosts(forgetsAfter: .seconds(3_600))
        watched.staysOpen = false
        for hosts in [quiet, watched] {
            hosts.open(sending: [.content(.file(1, 3_000_000))])
            hosts.play(until: Self.limit)
        }
        #expect(quiet.packets == watched.packets && !quiet.packets.isEmpty)
    }
}
