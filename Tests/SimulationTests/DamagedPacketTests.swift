import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

/// TCP over links that double, damage and mix packets.
@Suite struct DamagedPacketTests {
    @Test(arguments: [FilterPlan.duplication(.percent(5)), .corruption(.percent(2))])
    func `everything arrives in order, and the books balance`(filter: FilterPlan) throws {
        var uplink = LinkPlan.plain("uplink")
        uplink.filters = [filter]
        var downlink = LinkPlan.plain("downlink")
        downlink.filters = [filter]
        let hosts = TwoHosts(uplink, downlink)
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        hosts.network.closeBooks()
        hosts.collectLog()
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [.file(1, 1_000_000)])
        #expect(hosts.ends.values.allSatisfy { $0 == .closed } && hosts.ends.count == 2)
        let count = try #require(
            hosts.facts.compactMap { event -> LinkCount? in
                if case .link(.counted(0, let count)) = event.fact { count } else { nil }
            }.first)
        let doubled = hosts.packets.count { $0.link == 0 && $0.kind == .duplicated }
        #expect(count.duplicated.packets == UInt64(doubled))
        #expect((doubled > 10) == (filter.kind == "duplicate"), "\(doubled)")
        #expect(
            count.sent.packets + count.duplicated.packets
                == count.delivered.packets + count.dropped.packets)
    }

    @Test func `packets that are overtaken arrive in the order of time, and the stream in its own`()
    {
        var uplink = LinkPlan.plain("uplink")
        uplink.filters = [.reordering(.init(chance: .percent(3), hold: .milliseconds(4)))]
        let hosts = TwoHosts(uplink, .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        let arrivals = hosts.packets.filter { $0.link == 0 && $0.kind == .delivered }
        let steps = zip(arrivals, arrivals.dropFirst())
        #expect(steps.allSatisfy { $0.atNanoseconds <= $1.atNanoseconds })
        #expect(steps.count { $0.packet > $1.packet } > 10)
        #expect(hosts.server.map { hosts.received[$0] } == [.file(1, 1_000_000)])
        guard case .link(.planned(_, let terms)) = hosts.facts[0].fact else { return }
        #expect(terms.keepsOrder == false && terms.keepsDistance == false)
    }

    @Test func `what is damaged must be sent again`() {
        var uplink = LinkPlan.plain("uplink")
        uplink.filters = [.corruption(.percent(2))]
        let hosts = TwoHosts(uplink, .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        let payload = hosts.packets.filter { $0.link == 0 && $0.kind == .delivered }
            .reduce(0) { $0 + Int($1.payload) }
        #expect(hosts.packets.allSatisfy { $0.kind != .dropped })
        #expect(payload > 1_005_000, "\(payload) bytes were delivered")
    }
}
extension Probability {
    /// A percentage that a test has written down.
    static func percent(_ percent: Double) -> Probability {
        Probability(percent: percent) ?? .never
    }
}
