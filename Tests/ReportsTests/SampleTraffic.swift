import RunLog

/// Packets of an upload over 10 Mbit/s and 20 ms: a sender that slows down after every loss, and a
/// link that lets one packet through at a time. Every fiftieth is lost and sent again later.
struct SampleTraffic {
    private(set) var records: [PacketRecord] = []
    private var packet: UInt32 = 0
    private var wireIsFreeAt: UInt64 = 0

    private static let serialization: UInt64 = 1_200_000
    private static let delay: UInt64 = 20_000_000
    private static let payload: UInt32 = 1_448

    static let upload: [PacketRecord] = {
        var traffic = SampleTraffic()
        traffic.send(2_300, flow: 0, from: 80_000_000)
        traffic.send(3_200, flow: 1, from: 5_120_000_000)
        return traffic.records.sorted { $0.atNanoseconds < $1.atNanoseconds }
    }()

    private mutating func send(_ count: UInt32, flow: UInt16, from begin: UInt64) {
        var now = begin
        for order in 0..<count {
            let sinceLoss = UInt64(order % 50)
            send(flow: flow, sequence: 1 + order * Self.payload, at: now)
            if order % 50 == 49 {
                let lost = order - 20
                send(flow: flow, sequence: 1 + lost * Self.payload, at: now + 600_000)
            }
            // From 1.6 ms a packet after a loss to 1.0 ms before the next one.
            now += 1_600_000 - sinceLoss * 12_000
        }
    }

    private mutating func send(flow: UInt16, sequence: UInt32, at now: UInt64) {
        let isLost = packet % 50 == 29
        var record = PacketRecord(
            atNanoseconds: now, kind: .sent, packet: packet, link: 0, flow: flow, size: 1_500,
            payload: UInt16(Self.payload), sequence: sequence, acknowledgement: 1, flags: .ack)
        records.append(record)
        packet += 1
        guard !isLost else {
            record.kind = .dropped
            return records.append(record)
        }
        wireIsFreeAt = max(wireIsFreeAt, now) + Self.serialization
        record.kind = .delivered
        record.atNanoseconds = wireIsFreeAt + Self.delay
        records.append(record)
        guard packet.isMultiple(of: 2) else { return }
        record.kind = .sent
        record.link = 1
        record.size = 52
        record.payload = 0
        records.append(record)
        record.kind = .delivered
        record.atNanoseconds += Self.delay + 41_600
        records.append(record)
    }
}
