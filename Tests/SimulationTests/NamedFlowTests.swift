import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// Flows with a name: how long a run waits for them, how far away their servers are, and when they
/// arrive.
@Suite struct NamedFlowTests {
    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func `a run lasts as long as its flows send`(ties: UInt64?) {
        var first = group()
        first.until = .seconds(2)
        var second = group(from: .seconds(1))
        second.until = .seconds(3)
        let hosts = play([first, second], ties: ties)
        #expect(hosts.network.now == .start + .seconds(3))
        #expect(hosts.network.nextEventTime == nil)
        // The first stops writing, and ends as soon as its buffer is empty.
        let ends = hosts.packets.filter { $0.kind == .sent && $0.flags.contains(.fin) }
        #expect(Set(ends.map(\.flow)) == [.max])
    }

    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func `a run lasts until the bytes of its flows are acknowledged`(ties: UInt64?) {
        let hosts = play([group(.downlink, length: 100_000), group(length: 300_000)], ties: ties)
        let sent = hosts.packets.filter { $0.kind == .delivered && $0.payload > 0 }
        let bytes = Dictionary(grouping: sent, by: \.flow).mapValues { records in
            records.reduce(0) { $0 + Int($1.payload) }
        }
        #expect(bytes == [UInt16.max: 100_000, UInt16.max - 1: 300_000])
        #expect(hosts.network.nextEventTime == nil)
        #expect(hosts.network.now < .start + .seconds(2))
    }

    @Test func `others do not let a run wait, whatever the named flows do`() {
        let hosts = play([group(length: 100_000), FlowGroup(.uplink, count: 1)])
        #expect(hosts.network.now < .start + .seconds(2))
        #expect(hosts.network.nextEventTime == nil)
    }

    @Test(arguments: [CrossTraffic.Direction.uplink, .downlink])
    func `a server that is further away answers later by twice its distance`(
        direction: CrossTraffic.Direction
    ) {
        func handshake(_ delay: TimeSpan) -> UInt64 {
            var flow = group(direction, length: 1_000)
            flow.delay = delay
            let hosts = play([flow])
            let opening = hosts.packets.first { $0.flags == .syn && $0.kind == .sent }
            // The opener's first acknowledgement leaves when the answer has come.
            let answer = hosts.packets.first {
                $0.flags == .ack && $0.kind == .sent && $0.link == opening?.link
            }
            return (answer?.atNanoseconds ?? 0) - (opening?.atNanoseconds ?? 0)
        }
        // SYN and its answer have 60 bytes; the way to the server carries 125 bytes a nanosecond.
        let extra = handshake(.milliseconds(25)) - handshake(.zero)
        #expect(extra == 50_000_000 + 2)
    }

    @Test func `what crosses the way of a flow crosses the shared link as well`() {
        var flow = group(length: 200_000)
        flow.delay = .milliseconds(5)
        let hosts = play([flow, group(length: 200_000)])
        func count(_ kind: PacketRecord.Kind, _ link: UInt16, _ flow: UInt16) -> Int {
            hosts.packets.count { $0.kind == kind && $0.link == link && $0.flow == flow }
        }
        #expect(count(.delivered, 0, .max) == count(.sent, 2, .max))
        #expect(count(.delivered, 3, .max) == count(.sent, 1, .max))
        #expect(count(.sent, 2, .max - 1) == 0)
    }

    @Test func `flows arrive at their times`() {
        var flow = group(length: 1_000)
        flow.arrivals = .init(gap: .milliseconds(300), gaps: .fixed)
        flow.until = .seconds(1)
        #expect(beginnings(play([flow])) == [0, 300_000_000, 600_000_000, 900_000_000])
    }

    @Test func `random arrivals have their mean, and no memory`() {
        var flow = group(length: 1)
        flow.arrivals = .init(gap: .milliseconds(20), gaps: .exponential)
        flow.until = .seconds(19)
        let times = beginnings(play([flow]))
        let gaps = zip(times.dropFirst(), times).map { Double($0 - $1) / 20_000_000 }
        // About 950 of them: three standard errors are 0.1 of the mean.
        #expect(abs(gaps.reduce(0, +) / Double(gaps.count) - 1) < 0.1)
        // A gap exceeds its mean by a chance of 1/e.
        let long = Double(gaps.count { $0 > 1 }) / Double(gaps.count)
        #expect(abs(long - 0.368) < 0.05, "\(long)")
        #expect(beginnings(play([flow], seed: 8)) != times)
    }

    @Test func `windows of named flows can be followed`() {
        var network = VirtualNetwork(
            [InterfacePlan(uplink: .plain("uplink"), downlink: .plain("downlink"))],
            crossTraffic: .init(flows: [
                group(.uplink, .bbr, length: 500_000), FlowGroup(.uplink, count: 1),
            ]), seed: 1, followsWindows: true)
        while network.advance(until: .start + .seconds(60)) {}
        let windows = network.takeWindows()
        #expect(Set(windows.map(\.flow)) == [.max])
        #expect(windows.contains { ($0.pacingRate?.bitsPerSecond ?? 0) > 1_000_000 })
        #expect(network.takeWindows().isEmpty)
    }

    // MARK: Playing

    private func group(
        _ direction: CrossTraffic.Direction = .uplink,
        _ controller: TCPSettings.Controller = .cubic, from: TimeSpan = .zero,
        length: UInt64? = nil
    ) -> FlowGroup {
        var group = FlowGroup(
            direction, count: 1, controller: controller, from: from,
            length: length.map { ByteCount($0) })
        group.name = "probe"
        return group
    }

    private func play(
        _ flows: [FlowGroup], ties: UInt64? = nil, seed: UInt64 = 7
    ) -> TwoHosts {
        let hosts = TwoHosts(
            .plain("uplink"), .plain("downlink"), crossTraffic: .init(flows: flows), seed: seed,
            ties: ties)
        hosts.play()
        return hosts
    }

    /// When the flows send their first packets.
    private func beginnings(_ hosts: TwoHosts) -> [UInt64] {
        hosts.packets.filter { $0.flags == .syn && $0.kind == .sent && $0.link == 0 }
            .map(\.atNanoseconds)
    }
}
