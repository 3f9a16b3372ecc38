import Device
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing
import TransferEngine

@testable import Live

@Suite struct LiveNetworkTests {
    private let gap = TimeSpan.milliseconds(500)
    private static let settings = DeviceNetwork.Settings(gap: .milliseconds(500))

    @Test func `at the start every interface is there, and Wi-Fi is used`() throws {
        let network = begun()
        #expect(network.standing.status?.interface == 0)
        #expect(network.standing.interfaces.map(\.isUp) == [true, true])
        #expect(network.standing.interfaces.map(\.address) == ["127.1.0.1", "127.1.1.1"])
        #expect(network.standing.interfaces.map(\.bitsPerSecond) == [8_000_000, 2_000_000])
    }

    @Test func `without Wi-Fi connections over it end, and cellular is used after the gap`() throws
    {
        var network = begun()
        var log = RunLogSink()
        let lost = try #require(network.take(.lost(.wifi), at: .start, into: &log))
        #expect(lost.acts == [.end(0)])
        #expect(lost.standing.interfaces.map(\.isUp) == [false, true])
        #expect(lost.standing.status?.interface == nil)
        let deadline = try #require(network.deadline)
        #expect(deadline == .start + gap)
        let next = try #require(network.take(.wake, at: deadline, into: &log))
        #expect(next.standing.status?.interface == 1)
        #expect(next.standing.status?.isCellular == true)
    }

    @Test func `another network gives another address, and cuts what came from the former`() throws
    {
        var network = begun()
        var log = RunLogSink()
        _ = network.take(.lost(.wifi), at: .start, into: &log)
        _ = network.take(.found(.wifi, moved: true), at: .start + gap, into: &log)
        let there = try #require(network.take(.wake, at: .start + gap + gap, into: &log))
        #expect(there.acts.contains(.cut(0, answersByReset: false)))
        #expect(there.standing.interfaces[0].isUp)
        #expect(there.standing.interfaces[0].address == "127.1.0.2")
    }

    @Test(arguments: [true, false])
    func `who forgets mappings cuts what stands`(resets: Bool) throws {
        var network = begun()
        var log = RunLogSink()
        let order = try #require(
            network.take(.mappingsForgotten(resets: resets), at: .start, into: &log))
        #expect(
            order.acts == [
                .cut(0, answersByReset: resets), .cut(1, answersByReset: resets),
            ])
    }

    @Test func `a portal has the port of the page, until somebody logs in`() throws {
        var network = begun()
        var log = RunLogSink()
        let order = try #require(
            network.take(.portalComes(dropsOthers: false), at: .start, into: &log))
        #expect(order.standing.interfaces.map(\.portalPort) == [8_888, nil])
        #expect(order.acts == [.cut(0, answersByReset: false)])
        let after = try #require(network.take(.login, at: .start, into: &log))
        #expect(after.standing.interfaces.map(\.portalPort) == [nil, nil])
    }

    @Test func `the log tells of interfaces, of what happens, of links and of the path`() {
        var log = RunLogSink()
        var network = network()
        network.begin(at: .start, into: &log)
        _ = network.take(.lost(.wifi), at: .start, into: &log)
        let facts = log.events.map(\.fact)
        #expect(facts.contains(.network(.happens("Wi-Fi is lost"))))
        #expect(facts.contains(.link(.down(link: 0))))
        #expect(facts.contains(.link(.down(link: 1))))
        let interfaces = facts.compactMap { fact -> InterfaceTerms? in
            if case .network(.interface(_, let terms, _)) = fact { terms } else { nil }
        }
        #expect(interfaces.map(\.address) == ["127.1.0.1", "127.1.1.1"])
        #expect(interfaces.map(\.uplink) == [0, 2])
        let paths = facts.compactMap { fact -> String?? in
            if case .network(.path(let path, _)) = fact { path.name } else { nil }
        }
        #expect(paths == ["Wi-Fi", nil])
    }

    @Test(arguments: [UInt16(0), 1, 7]) func `an address tells the interface`(number: UInt16) {
        for network in [1, 2, 254, 255, 600] {
            let address = LoopbackNetwork.address(ofInterface: number, inNetwork: network)
            #expect(LoopbackNetwork.interface(of: address) == number)
            #expect(address & 0xff != 0 && address & 0xff != 255)
        }
        #expect(LoopbackNetwork.interface(of: 0x7f00_0001) == 0)
    }

    @Test func `another phone has other numbers, and the log says whose they are`() throws {
        var network = network(of: 1)
        var log = RunLogSink()
        network.begin(at: .start, into: &log)
        #expect(network.standing.interfaces.map(\.address) == ["127.1.2.1", "127.1.3.1"])
        #expect(network.standing.status?.interface == 2)
        #expect(network.standing.status?.alive == [2])
        let lost = try #require(network.take(.lost(.wifi), at: .start, into: &log))
        #expect(lost.acts == [.end(2)])
        #expect(log.events.contains { $0.fact == .network(.happens("Wi-Fi is lost", device: 2)) })
        let paths = log.events.compactMap { event -> PathTerms? in
            if case .network(.path(let path, 2)) = event.fact { path } else { nil }
        }
        #expect(paths.map(\.apps) == [[2], [2]])
    }

    @Test func `where nothing can happen nothing is told, and the system gives the address`() {
        var network = network(of: 0, nil)
        var log = RunLogSink()
        network.begin(at: .start, into: &log)
        #expect(network.take(.heals, at: .start, into: &log) == nil)
        #expect(log.events.isEmpty)
        #expect(network.standing.status == nil)
        #expect(network.standing.interfaces.map(\.address) == [nil, nil])
    }

    private func begun() -> LiveNetwork {
        var network = network()
        var log = RunLogSink()
        network.begin(at: .start, into: &log)
        return network
    }

    private func network(
        of phone: Int = 0, _ settings: DeviceNetwork.Settings? = Self.settings
    ) -> LiveNetwork {
        var plan = RunPlan.uploads(1, of: 1, megabits: 8)
        let wifi = plan.interfaces[0]
        let cellular = RunPlan.uploads(1, of: 1, megabits: 2).interfaces[0]
        plan.interfaces = [
            InterfacePlan(.wifi, uplink: wifi.uplink, downlink: wifi.downlink),
            InterfacePlan(.cellular, uplink: cellular.uplink, downlink: cellular.downlink),
        ]
        plan.network = settings
        let app = PlannedApp(name: "notes", files: [], sessions: [])
        plan.otherDevices = [
            OtherDevice(
                name: "tablet", plan: DevicePlan(apps: [app]), interfaces: plan.interfaces,
                network: settings)
        ]
        return LiveNetwork(plan.phones[phone], portalPort: 8_888)
    }
}
