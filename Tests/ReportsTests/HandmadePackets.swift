import Quantities
import Reports
import RunLog

/// Packets of two links, written one by one; times are in milliseconds.
struct HandmadePackets {
    private(set) var records: [PacketRecord] = []
    private var numbers: [UInt16: UInt32] = [:]

    static let up: UInt16 = 0
    static let down: UInt16 = 1

    /// A packet that was sent and can be delivered or dropped later.
    struct Packet {
        fileprivate var record: PacketRecord
    }

    /// Sends a packet with 52 bytes of headers.
    @discardableResult
    mutating func send(
        _ payload: UInt16 = 0, sequence: UInt32 = 1, acknowledgement: UInt32 = 1,
        flags: PacketRecord.Flags = .ack, on link: UInt16 = Self.up, flow: UInt16 = 0, at: UInt64
    ) -> Packet {
        let number = numbers[link, default: 0]
        numbers[link] = number + 1
        let record = PacketRecord(
            atNanoseconds: at * 1_000_000, kind: .sent, packet: number, link: link, flow: flow,
            size: payload + 52, payload: payload, sequence: sequence,
            acknowledgement: acknowledgement, flags: flags)
        records.append(record)
        return Packet(record: record)
    }

    mutating func deliver(_ packet: Packet, at: UInt64) { add(.delivered, packet, at) }

    mutating func drop(_ packet: Packet, at: UInt64) { add(.dropped, packet, at) }

    /// Sends an acknowledgement by the server, which arrives at a time.
    mutating func acknowledge(_ position: UInt32, flow: UInt16 = 0, at: UInt64) {
        let packet = send(acknowledgement: position, on: Self.down, flow: flow, at: at - 10)
        deliver(packet, at: at)
    }

    /// Returns the series of a run with these packets, which ends with the last of them.
    func series(events: [RunEvent] = [], windows: [CongestionWindow] = []) -> RunSeries {
        model(events: events, windows: windows).series
    }

    func model(
        events: [RunEvent] = [], windows: [CongestionWindow] = [], drawsSeries: Bool = true
    ) -> ReportModel {
        var collector = FigureCollector(drawsSeries: drawsSeries)
        collector.read(RunEvent(at: .start, .run(.began(SampleRun().beginning))))
        records.withUnsafeBufferPointer { collector.read(packets: $0) }
        collector.read(windows: windows)
        for event in events { collector.read(event) }
        return ReportModel(collector, verdicts: [], digest: "")
    }

    private mutating func add(_ kind: PacketRecord.Kind, _ packet: Packet, _ at: UInt64) {
        var record = packet.record
        record.kind = kind
        record.atNanoseconds = at * 1_000_000
        records.append(record)
    }
}
