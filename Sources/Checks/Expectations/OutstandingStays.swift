import Quantities
import RunLog

/// `at most SIZE outstanding at once`, or at least: the most that one connection has on its way,
/// sent and not yet acknowledged.
struct OutstandingStays: Expectation {
    let bound: Bound<ByteCount>

    var watch = Watch()
    var sequences = FlowSequences()
    /// The latest acknowledgement that has reached the sender, by the direction that carries it.
    var acknowledged: [FlowSide: UInt32] = [:]
    /// The direction that answers another one.
    var opposite: [FlowSide: FlowSide] = [:]
    var sides: [UInt16: [FlowSide]] = [:]
    var most = ByteCount.zero

    var statement: String { "\(bound) are outstanding at once" }

    mutating func read(_ event: RunEvent) {
        sequences.read(event.fact)
        guard case .run(.ended) = event.fact, sequences.hasPackets, !bound.isMet(by: most)
        else { return }
        let seen = "the most is \(most)"
        watch.fall(expected: statement, seen: seen)
        watch.amend(seen: seen)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for record in packets { read(record) }
    }

    private mutating func read(_ record: PacketRecord) {
        let side = FlowSide(record)
        learn(side)
        if record.flags.contains(.syn), record.kind == .sent || record.kind == .captured {
            opposite[side].map { acknowledged[$0] = nil }
        }
        if record.kind == .delivered || record.kind == .captured, record.flags.contains(.ack) {
            let known = acknowledged[side] ?? record.acknowledgement
            let ahead = Int32(bitPattern: record.acknowledgement &- known)
            acknowledged[side] = ahead >= 0 ? record.acknowledgement : known
        }
        guard sequences.isSegment(record), !sequences.repeats(record), record.payload > 0,
            let answering = opposite[side], let from = acknowledged[answering],
            let end = sequences.end(of: side)
        else { return }
        let ahead = Int32(bitPattern: end &- from)
        most = max(most, ByteCount(UInt64(max(ahead, 0))))
        guard bound.isExceeded(by: most) else { return }
        watch.fall(
            byPacketAt: Instant(nanoseconds: record.atNanoseconds), expected: statement,
            seen: "with this packet it is \(most)")
    }

    /// The first two directions in which packets of a flow are seen answer each other.
    private mutating func learn(_ side: FlowSide) {
        guard opposite[side] == nil, sides[side.flow, default: []].count < 2 else { return }
        if let first = sides[side.flow]?.first, first != side {
            opposite[side] = first
            opposite[first] = side
        }
        if sides[side.flow]?.contains(side) != true { sides[side.flow, default: []].append(side) }
    }

    var reasonNotToJudge: String? { watch.missingEnd ?? sequences.reasonNotToJudge }
}
