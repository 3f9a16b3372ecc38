import Quantities
import RunLog

/// One direction of a TCP connection.
struct FlowSide: Hashable, Sendable {
    let flow: UInt16
    let link: UInt16

    init(_ record: PacketRecord) {
        flow = record.flow
        link = record.link
    }
}

/// How far each direction of each connection has sent: what begins below that was sent before.
struct FlowSequences: Sendable {
    /// Flows of other traffic, which no app of the run opened.
    private var others: Set<UInt16> = []
    private var starts: [FlowSide: UInt32] = [:]
    private var ends: [FlowSide: UInt32] = [:]
    private(set) var hasPackets = false

    mutating func read(_ fact: Fact) {
        if case .link(.shared(_, let terms)) = fact { others.insert(terms.flow) }
    }

    /// Whether a packet leaves its sender, as a segment of the run's own connections.
    mutating func isSegment(_ record: PacketRecord) -> Bool {
        hasPackets = true
        switch record.kind {
        case .sent, .captured: return !others.contains(record.flow) && !record.isPaced
        case .delivered, .dropped, .duplicated: return false
        }
    }

    /// Notes a segment; returns whether it repeats what was sent before.
    mutating func repeats(_ record: PacketRecord) -> Bool {
        // A SYN and a FIN take a sequence number.
        let extra: UInt32 = record.flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1
        let length = UInt32(record.payload) + extra
        guard length > 0 else { return false }
        let side = FlowSide(record)
        let end = record.sequence &+ length
        // A SYN begins a new connection, unless it repeats the first packet of this one.
        if record.flags.contains(.syn), starts[side] != record.sequence {
            starts[side] = record.sequence
            ends[side] = nil
        }
        // Numbers wrap after 4 GiB: only their distance has a sign.
        guard let known = ends[side], Int32(bitPattern: end &- known) <= 0 else {
            ends[side] = end
            return false
        }
        return true
    }

    /// The number after the last one that this direction has sent.
    func end(of side: FlowSide) -> UInt32? { ends[side] }

    var reasonNotToJudge: String? { hasPackets ? nil : "no packet was seen" }
}
