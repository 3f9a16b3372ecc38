import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// An interface that goes down, and comes up again.
@Suite struct LinkDownTests {
    private static let down = Instant(nanoseconds: 2_000_000_000)

    private static func hosts(_ uplink: LinkPlan = .plain("uplink")) -> TwoHosts {
        TwoHosts([InterfacePlan(uplink: uplink, downlink: .plain("downlink"))])
    }

    private static let queues: [BottleneckPlan.Queue] = [
        .dropTail(limit: ByteCount(64_000)),
        .disciplined(.dropHead, limit: ByteCount(64_000)),
        .disciplined(.coDel(CoDel.Options()), limit: ByteCount(64_000)),
        .disciplined(.fairQueueCoDel(FairQueueCoDel.Options()), limit: ByteCount(64_000)),
    ]

    @Test(arguments: queues)
    func `what is on a link that goes down is lost, and so is what is sent until it is up`(
        queue: BottleneckPlan.Queue
    ) throws {
        var uplink = LinkPlan.plain("uplink")
        uplink.bottleneck.queue = queue
        let hosts = Self.hosts(uplink)
        hosts.open(sending: [.content(.file(1, 10_000_000))])
        hosts.play(until: Self.down)
        hosts.packets = []
        hosts.network.take(0, down: true)
        hosts.play(until: Self.down + .seconds(5))
        let lost = hosts.packets.filter { $0.link == 0 }
        #expect(lost.count { $0.kind == .dropped } > 10)
        #expect(lost.count { $0.kind == .delivered } == 0)
        hosts.network.closeBooks()
        hosts.collectLog()
        let count = try #require(Self.counts(hosts).first)
        #expect(count.inFlight == LinkCount.Tally())
        #expect(count.drops?.whileDown == UInt64(lost.count { $0.kind == .dropped }))
        #expect(count.sent.packets == count.delivered.packets + count.dropped.packets)
        #expect(count.sent.bytes == count.delivered.bytes + count.dropped.bytes)
    }

    @Test(arguments: queues)
    func `a connection outlives its links for a while, and goes on when they are back`(
        queue: BottleneckPlan.Queue
    ) throws {
        var uplink = LinkPlan.plain("uplink")
        uplink.bottleneck.queue = queue
        let hosts = Self.hosts(uplink)
        hosts.open(sending: [.content(.file(1, 4_000_000))])
        hosts.play(until: Self.down)
        hosts.network.take(0, down: true)
        hosts.play(until: Self.down + .seconds(3))
        hosts.network.take(0, down: false)
        hosts.play()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [.file(1, 4_000_000)])
        hosts.network.closeBooks()
        hosts.collectLog()
        for count in Self.counts(hosts) {
            #expect(count.sent.packets == count.delivered.packets + count.dropped.packets)
            #expect(count.inFlight == LinkCount.Tally())
        }
        let states = hosts.facts.compactMap { event -> String? in
            switch event.fact {
            case .link(.down(let link)): "\(link) down at \(event.at)"
            case .link(.up(let link)): "\(link) up at \(event.at)"
            default: nil
            }
        }
        // The moment of the latest event before it.
        #expect(states.map { $0.prefix(6) } == ["0 down", "1 down", "0 up a", "1 up a"])
    }

    @Test func `a link that is down already does not go down again`() {
        let hosts = Self.hosts()
        hosts.network.take(0, down: false)
        hosts.network.take(0, down: true)
        hosts.network.take(0, down: true)
        hosts.collectLog()
        #expect(
            hosts.facts.map(\.fact).filter { if case .link(.planned) = $0 { false } else { true } }
                == [.link(.down(link: 0)), .link(.down(link: 1))])
    }

    private static func counts(_ hosts: TwoHosts) -> [LinkCount] {
        hosts.facts.compactMap { event in
            if case .link(.counted(_, let count)) = event.fact { count } else { nil }
        }
    }
}
