import Quantities
import RunLog

/// `at most N packets retransmitted`, or at least: segments that hold nothing new.
struct RetransmissionsStay: Expectation {
    let bound: Bound<UInt64>

    var watch = Watch()
    var sequences = FlowSequences()
    var count: UInt64 = 0

    var statement: String { "TCP retransmits \(bound) packets" }

    mutating func read(_ event: RunEvent) {
        sequences.read(event.fact)
        guard case .run(.ended) = event.fact, sequences.hasPackets, !bound.isMet(by: count)
        else { return }
        let seen = "it retransmits \(count)"
        watch.fall(expected: statement, seen: seen)
        watch.amend(seen: seen)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for record in packets where sequences.isSegment(record) && sequences.repeats(record) {
            count += 1
            guard bound.isExceeded(by: count) else { continue }
            watch.fall(
                byPacketAt: Instant(nanoseconds: record.atNanoseconds), expected: statement,
                seen: "this is number \(count)")
        }
    }

    var reasonNotToJudge: String? { watch.missingEnd ?? sequences.reasonNotToJudge }
}
