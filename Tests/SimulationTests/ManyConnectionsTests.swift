import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

/// Connections that are over leave their places to others.
@Suite struct ManyConnectionsTests {
    @Test func `two hundred thousand short connections, one after the other, need few places`() {
        var row = RowOfConnections()
        row.play(200_000)
        #expect(row.received == 200_000 * row.content.length.bytes)
        #expect(row.ended == 400_000)
        // Each takes about 5 ms, and its place rests a second.
        #expect((100...250).contains(row.largestFlow), "\(row.largestFlow)")
    }

    @Test func `streams that no host lets go of keep their places`() {
        var row = RowOfConnections()
        row.releases = false
        row.play(1_000)
        #expect(row.largestFlow == 999)
    }

    @Test func `a connection that vanishes before it stands gives its place back`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        for second in UInt64(0)..<5 {
            let handle = hosts.network.connect(from: .client, to: .server, port: 80)
            if second % 2 == 0 {
                hosts.network.abandon(handle)
            } else {
                hosts.network.abort(handle)
            }
            hosts.network.setTimer(slot: 0, at: Instant(nanoseconds: (second + 1) * 2_000_000_000))
            hosts.play()
        }
        #expect(Set(hosts.packets.map(\.flow)) == [0])
    }

    @Test func `a late SYN may call an end back to life, and then its place is not free`() throws {
        // What the client sends takes 3 s more: its SYN comes when it has given up, and so does
        // its answer to the answer.
        let hosts = TwoHosts(
            .plain("uplink").holding(.seconds(3), percent: 100), .plain("downlink"))
        func play(untilSeconds seconds: UInt64) {
            let moment = Instant(nanoseconds: seconds * 1_000_000_000)
            hosts.network.setTimer(slot: 0, at: moment)
            hosts.play(until: moment)
        }
        hosts.open()
        hosts.network.abandon(try #require(hosts.client))
        play(untilSeconds: 4)
        hosts.open(listening: false, sending: [.content(.file(1, 10_000))])
        #expect(hosts.client?.connection == 1)
        play(untilSeconds: 8)
        hosts.open(listening: false)
        #expect(hosts.client?.connection == 0)
    }
}

/// One connection after the other, each with a little content one way.
private struct RowOfConnections: ~Copyable {
    let content = ContentRange.file(1, 2_000)
    var releases = true
    private(set) var received: UInt64 = 0
    private(set) var ended = 0
    private(set) var largestFlow: UInt16 = 0
    private var network = VirtualNetwork(
        uplink: .plain("uplink", megabits: 1_000, delay: .milliseconds(1)),
        downlink: .plain("downlink", megabits: 1_000, delay: .milliseconds(1)), seed: 7)

    mutating func play(_ connections: Int) {
        network.listen(.server, port: 80)
        for _ in 0..<connections {
            _ = network.connect(from: .client, to: .server, port: 80)
            while network.advance(until: .end) {
                while let event = network.takeEvent() { react(to: event) }
            }
            var flows = LargestFlow()
            network.drainLog(into: &flows)
            largestFlow = max(largestFlow, flows.value)
        }
    }

    private mutating func react(to event: NetworkEvent) {
        switch event {
        case .connected(let handle):
            network.send(handle, [.content(content)])
            network.finish(handle)
        case .readable(let handle):
            var segments: [Segment] = []
            network.read(handle, into: &segments)
            received += segments.length.bytes
        case .peerFinished(let handle):
            network.finish(handle)
        case .ended(let handle, _):
            ended += 1
            if releases { network.release(handle) }
        case .accepted, .roomAvailable, .timer:
            break
        }
    }
}

private struct LargestFlow: RunLogReader {
    var value: UInt16 = 0

    mutating func read(_ event: RunEvent) {}
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for record in packets { value = max(value, record.flow) }
    }
}
