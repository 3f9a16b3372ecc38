import Capture
import Content
import Device
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// A client with several ways into the network.
@Suite struct InterfaceTests {
    @Test func `a connection uses the links of the interface over which it was opened`() {
        let hosts = TwoHosts(InterfacePlan.wifiAndCellular)
        let first = hosts.open(over: 1, sending: [.content(.file(1, 100_000))])
        hosts.play()
        #expect(hosts.network.interface(of: first) == 1)
        #expect(Set(hosts.packets.map(\.link)) == [2, 3])
        let second = hosts.open(over: 0, sending: [.content(.file(2, 100_000))])
        hosts.packets = []
        hosts.play()
        #expect(Set(hosts.packets.map(\.link)) == [0, 1])
        #expect(hosts.received[first.otherEnd] == [.file(1, 100_000)])
        #expect(hosts.received[second.otherEnd] == [.file(2, 100_000)])
    }

    @Test func `connections over several interfaces do not wait for each other`() throws {
        func end(alone: Bool) throws -> Instant {
            let hosts = TwoHosts(InterfacePlan.wifiAndCellular)
            let slow = hosts.open(over: 1, sending: [.content(.file(1, 1_000_000))])
            if !alone { hosts.open(over: 0, sending: [.content(.file(2, 4_000_000))]) }
            hosts.play()
            #expect(hosts.received[slow.otherEnd] == [.file(1, 1_000_000)])
            let last = hosts.packets.last {
                $0.link == 2 && $0.kind == .delivered && $0.payload > 0
            }
            return Instant(nanoseconds: try #require(last).atNanoseconds)
        }
        #expect(try end(alone: true) == end(alone: false))
    }

    @Test func `an interface more changes nothing for those who do not use it`() {
        func packets(_ interfaces: [InterfacePlan]) -> [PacketRecord] {
            let hosts = TwoHosts(interfaces)
            hosts.open(sending: [.content(.file(1, 2_000_000))])
            hosts.play()
            return hosts.packets
        }
        let lossy = InterfacePlan(
            .wifi, uplink: .plain("wifi/uplink", losing: 2),
            downlink: .plain("wifi/downlink", losing: 2))
        let alone = packets([lossy])
        #expect(alone == packets([lossy, InterfacePlan.wifiAndCellular[1]]))
        #expect(alone.contains { $0.kind == .dropped })
    }

    @Test func `of two interfaces with the same losses each has random streams of its own`() {
        let links = ["wifi", "cellular"].map { name in
            InterfacePlan(
                uplink: .plain("\(name)/uplink", losing: 5),
                downlink: .plain("\(name)/downlink", losing: 5))
        }
        let lost = (0...1).map { interface in
            let hosts = TwoHosts(links)
            hosts.open(over: interface, sending: [.content(.file(1, 500_000))])
            hosts.play()
            return hosts.packets.filter { $0.kind == .dropped }.map(\.packet)
        }
        #expect(!lost[0].isEmpty && lost[0] != lost[1])
    }

    @Test func `each interface has an address of its own in a capture`() throws {
        let run = try TappedHosts(
            InterfacePlan.wifiAndCellular, sending: [.content(.file(1, 10_000))], over: 1)
        for place in TappedHosts.Place.allCases {
            let frames = try run.frames(at: place)
            #expect(frames.count > 10)
            for frame in frames {
                let addresses = [Array(frame.bytes[12..<16]), Array(frame.bytes[16..<20])]
                #expect(addresses.contains([192, 0, 2, 3]))
                #expect(addresses.contains([198, 51, 100, 1]))
            }
        }
    }
}
