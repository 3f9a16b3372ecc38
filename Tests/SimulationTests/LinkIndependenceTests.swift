import Content
import LinkModels
import Quantities
import RunLog
import Testing

@Suite struct LinkIndependenceTests {
    private func packets(up: Double, down: Double, seed: UInt64 = 7) -> [PacketRecord] {
        let hosts = TwoHosts(
            .plain("uplink", queue: 5_000_000, losing: up),
            .plain("downlink", queue: 5_000_000, losing: down), seed: seed)
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        return hosts.packets
    }

    @Test func `the same seed gives the same packets, another seed others`() {
        let once = packets(up: 2, down: 2)
        #expect(once == packets(up: 2, down: 2))
        #expect(once != packets(up: 2, down: 2, seed: 8))
    }

    @Test func `losses added to the downlink leave the draws of the uplink as they were`() {
        let without = packets(up: 3, down: 0)
        let with = packets(up: 3, down: 5)
        // The traffic is another, but which packet by number is lost is not; the queues never fill.
        let common = min(packetsSentUp(without), packetsSentUp(with))
        let lost = [without, with].map { records in
            records.filter { $0.link == 0 && $0.kind == .dropped && $0.packet < common }
                .map(\.packet)
        }
        #expect(lost[0] == lost[1])
        #expect(lost[0].count > 10)
        #expect(with.contains { $0.link == 1 && $0.kind == .dropped })
    }

    private func packetsSentUp(_ records: [PacketRecord]) -> UInt32 {
        UInt32(records.count { $0.link == 0 && $0.kind == .sent })
    }
}
