import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct NetworkLogTests {
    @Test func `what hosts write down is read behind the packets that came before it`() {
        var network = VirtualNetwork(
            uplink: .plain("uplink"), downlink: .plain("downlink"), seed: 1)
        var reader = OrderReader()
        network.log.record(.queue(.started), at: .start)
        _ = network.connect(from: .client, to: .server, port: 80)
        network.log.record(.device(.appKilled(launch: 1)), at: .start)
        network.drainLog(into: &reader)
        #expect(reader.order == ["link", "link", "queue", "1 packets", "device"])
        // The next batch begins anew.
        network.log.record(.queue(.started), at: .start)
        network.drainLog(into: &reader)
        #expect(reader.order.dropFirst(5) == ["queue"])
    }
}

private struct OrderReader: RunLogReader {
    var order: [String] = []
    mutating func read(_ event: RunEvent) { order.append(event.fact.subject) }
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        order.append("\(packets.count) packets")
    }
}
