import LinkModels
import Quantities
import RunLog
import RunPlan

/// Packets of cross traffic for which no endpoint waits.
struct PacketStream: Sendable {
    let link: Int32
    private let plan: CrossTraffic.Stream
    private let number: Int
    private var source: TrafficSource
    var delivered = LinkCount.Tally()

    /// First flow number of streams: 2¹⁵, the start of the upper half.
    private static let firstFlow = 0x8000

    init(_ plan: CrossTraffic.Stream, number: Int, random: RandomStream) {
        link = plan.direction.link(of: plan.interface)
        self.plan = plan
        self.number = number
        source = TrafficSource(plan.source, random: random)
    }

    mutating func next() -> Instant? { source.next() }

    /// Returns the next packet: a datagram without numbers or acknowledgement.
    func packet(at now: UInt64) -> Packet {
        let size = UInt16(plan.source.packetSize.bytes)
        return Packet(
            endpoint: Self.endpoint(of: number), sequence: 0, stamp: now, acknowledgement: 0,
            echo: 0, window: 0, payload: size - Packet.Form.datagram.size, form: .datagram,
            flags: [])
    }

    var announcement: RunEvent.Fact {
        let terms = SharingTerms(flow: flow, what: plan.sentence)
        return .link(.shared(link: UInt16(link), terms))
    }

    var account: RunEvent.Fact {
        let count = SharingCount(flow: flow, delivered: delivered)
        return .link(.shareCounted(link: UInt16(link), count))
    }

    /// Returns the stream of a packet; `nil` for a packet of a TCP flow.
    static func number(of packet: borrowing Packet) -> Int? {
        guard packet.endpoint < Int32.min / 2 else { return nil }
        return Int((packet.endpoint - Int32.min) / 2) - firstFlow
    }

    private var flow: UInt16 { UInt16(Self.firstFlow + number) }

    /// Returns an endpoint far below those of flows. Half of it ends with the flow's number.
    private static func endpoint(of number: Int) -> Int32 {
        Int32.min + Int32(2 * (firstFlow + number))
    }
}
