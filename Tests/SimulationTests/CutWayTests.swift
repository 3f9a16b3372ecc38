import Capture
import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// Connections whose way is gone although the links stand: mappings that were forgotten, addresses
/// that are no more, networks that were lost.
@Suite struct CutWayTests {
    private static let limit = Instant(nanoseconds: 30_000_000_000)

    /// In the middle of an upload of 10 MB.
    private static func inTheMiddle() -> TwoHosts {
        let hosts = TwoHosts(InterfacePlan.wifiAndCellular)
        hosts.open(sending: [.content(.file(1, 10_000_000))])
        hosts.play(until: Instant(nanoseconds: 2_000_000_000))
        hosts.events = []
        hosts.packets = []
        return hosts
    }

    @Test func `after a mapping is forgotten nothing comes through, in either direction`() throws {
        let hosts = Self.inTheMiddle()
        let server = try #require(hosts.server)
        let before = hosts.network.received(server)
        hosts.network.cutWays(of: 0, WayCut(answer: .none))
        hosts.network.send(server, [.content(.file(2, 100_000))])
        hosts.play(until: Self.limit)
        #expect(hosts.network.received(server) == before)
        #expect(hosts.ends.isEmpty)
        // The client's packets do cross its own link; what the server sends never comes to it.
        #expect(hosts.packets.contains { $0.link == 0 && $0.kind == .delivered && $0.payload > 0 })
        #expect(!hosts.packets.contains { $0.link == 1 && $0.kind == .sent })
        let nowhere = hosts.packets.filter { $0.link == 5 }
        #expect(nowhere.contains { $0.kind == .sent && $0.payload > 0 })
        #expect(nowhere.count { $0.kind == .sent } == nowhere.count { $0.kind == .dropped })
    }

    @Test func `a translator that answers resets the client, and the server hears nothing`() throws
    {
        let hosts = Self.inTheMiddle()
        let client = try #require(hosts.client)
        hosts.network.cutWays(of: 0, WayCut(answer: .reset))
        hosts.play(until: Self.limit)
        #expect(hosts.ends == [client: .reset])
        #expect(hosts.packets.contains { $0.link == 1 && $0.flags.contains(.rst) })
    }

    @Test func `who opens a connection afterwards is let through`() {
        let hosts = Self.inTheMiddle()
        hosts.network.cutWays(of: 0, WayCut(answer: .none))
        let next = hosts.open(sending: [.content(.file(3, 100_000))])
        hosts.play(until: Self.limit)
        #expect(hosts.received[next.otherEnd] == [.file(3, 100_000)])
    }

    @Test func `with another address the client's packets go nowhere, too`() {
        let hosts = Self.inTheMiddle()
        hosts.network.take(0, down: true)
        hosts.packets = []
        hosts.network.take(0, down: false, hasMoved: true)
        hosts.play(until: Self.limit)
        #expect(!hosts.packets.contains { $0.link == 0 && $0.kind == .sent })
        #expect(hosts.packets.contains { $0.link == 4 && $0.kind == .dropped })
    }

    @Test func `the connections of another interface go on`() throws {
        let hosts = Self.inTheMiddle()
        let other = hosts.open(over: 1, sending: [.content(.file(3, 1_000_000))])
        hosts.play(until: Instant(nanoseconds: 3_000_000_000))
        hosts.network.cutWays(of: 0, WayCut(answer: .reset))
        hosts.play(until: Self.limit)
        #expect(hosts.received[other.otherEnd] == [.file(3, 1_000_000)])
    }

    @Test func `who has lost its network is told at once, and its peer is not`() throws {
        let hosts = Self.inTheMiddle()
        let client = try #require(hosts.client)
        hosts.network.take(0, down: true)
        hosts.network.lose(client)
        hosts.network.lose(client)
        hosts.play(until: Self.limit)
        #expect(hosts.events == [.ended(client, .networkLost)])
        hosts.collectLog()
        #expect(!hosts.packets.contains { $0.flags.contains(.rst) })
    }

    @Test(arguments: [(false, ConnectionEnd.refused), (true, .timedOut)])
    func `behind a captive portal only the portal is reached`(
        dropsOthers: Bool, end: ConnectionEnd
    ) throws {
        let hosts = TwoHosts(InterfacePlan.wifiAndCellular)
        hosts.network.listen(.portal, port: TwoHosts.port)
        hosts.network.listen(.server, port: 443)
        hosts.network.makeCaptive(0, true, dropsOthers: dropsOthers)
        let plain = hosts.open(sending: [.content(.file(1, 1_000))])
        let other = hosts.open(over: 1, sending: [.content(.file(1, 1_000))])
        let secured = hosts.network.connect(from: .client, to: .server, port: 443)
        hosts.play()
        let accepted = hosts.events.compactMap { event -> [NetworkHost: StreamHandle]? in
            if case .accepted(let handle, let host, _) = event { [host: handle] } else { nil }
        }
        #expect(accepted.contains([.portal: plain.otherEnd]))
        #expect(accepted.contains([.server: other.otherEnd]))
        #expect(accepted.count == 2)
        #expect(hosts.ends[secured] == end)

        hosts.network.makeCaptive(0, false)
        let later = hosts.open(sending: [.content(.file(1, 1_000))])
        hosts.play()
        #expect(hosts.events.contains(.accepted(later.otherEnd, .server, port: TwoHosts.port)))
    }

    @Test func `a capture shows what each end sees of a way that is cut`() throws {
        let run = try TappedHosts(
            InterfacePlan.wifiAndCellular, sending: [.content(.file(1, 3_000_000))], over: 0
        ) { hosts in
            hosts.play(until: Instant(nanoseconds: 1_000_000_000))
            hosts.network.cutWays(of: 0, WayCut(answer: .reset))
        }
        let resets = try TappedHosts.Place.allCases.map { place in
            try run.frames(at: place).count { $0.bytes[33] & 4 != 0 }
        }
        // The one who resets sits between them; what comes after it meets a closed end.
        #expect(resets[0] > 0 && resets[1] == 0)
        let cut = try #require(
            run.hosts.packets.first { $0.flags.contains(.rst) && $0.kind == .sent })
        let late = try run.frames(at: .server).filter {
            $0.wallNanoseconds > cut.atNanoseconds && $0.bytes[12] == 192
        }
        #expect(late.isEmpty)
    }
}
