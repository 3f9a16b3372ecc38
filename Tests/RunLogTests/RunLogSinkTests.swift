import Quantities
import RunLog
import Testing

@Suite struct RunLogSinkTests {
    @Test func `what came before the first packet of a batch is read before it`() {
        var sink = RunLogSink()
        var reader = OrderReader()
        for _ in 0..<2 {
            sink.record(.queue(.started), at: .start)
            sink.record(Self.packet)
            sink.record(.device(.appKilled(launch: 1)), at: .start)
            sink.record(Self.packet)
            sink.drain(into: &reader)
        }
        #expect(reader.order == ["queue", "2 packets", "device", "queue", "2 packets", "device"])
    }

    @Test func `packets handed over together stand where single ones would`() {
        var single = RunLogSink()
        var together = RunLogSink()
        single.record(.queue(.started), at: .start)
        together.record(.queue(.started), at: .start)
        for _ in 0..<3 { single.record(Self.packet) }
        [PacketRecord](repeating: Self.packet, count: 3).withUnsafeBufferPointer {
            together.record(packets: $0)
        }
        var one = OrderReader()
        var other = OrderReader()
        single.drain(into: &one)
        together.drain(into: &other)
        #expect(one.order == other.order)
        #expect(other.order == ["queue", "3 packets"])
    }

    @Test func `a batch without packets loses no event`() {
        var sink = RunLogSink()
        var reader = OrderReader()
        sink.record(.queue(.started), at: .start)
        sink.record(.device(.appKilled(launch: 1)), at: .start)
        sink.drain(into: &reader)
        #expect(reader.order == ["queue", "device"])
    }

    private static let packet = PacketRecord(
        atNanoseconds: 7, kind: .sent, packet: 0, link: 0, flow: 0, size: 1500, payload: 1448,
        sequence: 1, acknowledgement: 1, flags: .ack)

    private struct OrderReader: RunLogReader {
        var order: [String] = []
        mutating func read(_ event: RunEvent) { order.append(event.fact.subject) }
        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            order.append("\(packets.count) packets")
        }
    }
}
