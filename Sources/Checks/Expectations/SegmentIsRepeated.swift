import Quantities
import RunLog

/// `the first lost segment is repeated after 1 s, 2 s, 4 s`: the pauses between the times at which
/// TCP sends the first segment that it repeats, to the millisecond.
struct SegmentIsRepeated: Expectation {
    let pauses: [TimeSpan]

    var watch = Watch()
    var sequences = FlowSequences()
    /// When each segment was sent last, until one is repeated.
    var sent: [Place: Instant] = [:]
    var first: Place?
    var last = Instant.start
    var seen: [TimeSpan] = []

    /// A segment: its direction and its first byte.
    struct Place: Hashable, Sendable {
        var side: FlowSide
        var sequence: UInt32
    }

    var statement: String { "the first segment that TCP repeats comes after \(Self.list(pauses))" }

    mutating func read(_ event: RunEvent) {
        sequences.read(event.fact)
        guard case .run(.ended) = event.fact, sequences.hasPackets, !isMet else { return }
        let list = "it comes after \(Self.list(seen))"
        watch.fall(expected: statement, seen: seen.isEmpty ? "nothing is repeated" : list)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for record in packets where sequences.isSegment(record) {
            let isRepeated = sequences.repeats(record)
            let place = Place(side: FlowSide(record), sequence: record.sequence)
            let now = Instant(nanoseconds: record.atNanoseconds)
            if isRepeated, first == nil, let before = sent[place] {
                (first, last) = (place, before)
                sent = [:]
            }
            if first == place, isRepeated, seen.count < pauses.count {
                seen.append(now - last)
                last = now
            } else if first == nil, record.payload > 0 || !record.flags.isDisjoint(with: .syn) {
                sent[place] = now
            }
        }
    }

    private var isMet: Bool {
        seen.count == pauses.count
            && zip(seen, pauses).allSatisfy { abs(($0 - $1).nanoseconds) < 1_000_000 }
    }

    private static func list(_ pauses: [TimeSpan]) -> String {
        pauses.map(\.description).joined(separator: ", ")
    }

    var reasonNotToJudge: String? { watch.missingEnd ?? sequences.reasonNotToJudge }
}
