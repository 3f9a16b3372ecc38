import Quantities
import RunLog
import Testing

/// The order of packets and events is exact around an event that changes the link.
@Suite struct SeparatedPacketsTests {
    @Test func `packets before such an event are read before it, and later ones behind it`() {
        var sink = RunLogSink()
        sink.record(.run(.ended(.quiet)), at: .start)
        sink.record(Self.packet(0))
        sink.record(.link(.down(link: 0)), at: .start)
        sink.separate()
        sink.record(Self.packet(1))
        sink.record(.link(.up(link: 0)), at: .start)
        sink.separate()
        sink.record(.run(.ended(.limit)), at: .start)
        sink.record(Self.packet(2))
        sink.record(.run(.ended(.stopped)), at: .start)
        var reader = Reader()
        [Self.packet(3)].withUnsafeBufferPointer { sink.drain(into: &reader, latest: $0) }
        #expect(
            reader.lines == [
                "nothing was left to happen", "0", "down", "1", "up", "the time limit was reached",
                "2", "3", "the server was ended",
            ])
        reader.lines = []
        sink.record(Self.packet(4))
        sink.drain(into: &reader)
        #expect(reader.lines == ["4"])
    }

    private static func packet(_ number: UInt32) -> PacketRecord {
        PacketRecord(
            atNanoseconds: 0, kind: .sent, packet: number, link: 0, flow: 0, size: 100, payload: 0,
            sequence: 0, acknowledgement: 0, flags: .ack)
    }

    private struct Reader: RunLogReader {
        var lines: [String] = []

        mutating func read(_ event: RunEvent) {
            switch event.fact {
            case .run(.ended(let ending)): lines.append(ending.sentence)
            case .link(.down): lines.append("down")
            case .link(.up): lines.append("up")
            default: break
            }
        }

        mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
            lines += batch.map { "\($0.packet)" }
        }
    }
}
