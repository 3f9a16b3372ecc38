import Quantities
import RunLog

/// What a queue does by the ECN codepoints of packets: it marks some, and may have a line of its
/// own for scalable packets.
struct LinkMarking: Sendable {
    private var name = ""
    private var marks = false
    /// Whether scalable packets keep their order, and so do the others.
    private(set) var hasTwoLines = false
    private var threshold: LinkTerms.MarkThreshold?
    private var latestScalable: UInt32?
    private var latestOther: UInt32?
    /// Packets that waited for longer than the threshold and could be marked.
    private(set) var late: UInt64 = 0

    init() {}

    init(_ terms: LinkTerms) {
        name = terms.name
        marks = terms.marks ?? false
        hasTwoLines = terms.keepsOrderOfEachMarking ?? false
        threshold = terms.markThreshold
    }

    /// Whether a packet may arrive with its codepoint: its own, or the mark of a queue that marks,
    /// if the packet is ECN-capable (RFC 3168 §5).
    @inline(__always)
    func isPossible(_ entry: PacketsOnWay.Entry, _ record: PacketRecord) -> Bool {
        entry.codepoint == record.codepoint
            || (marks && entry.codepoint != .notCapable && record.codepoint == .experienced)
    }

    /// Takes a packet that has waited for so many nanoseconds before it left, unless it is
    /// impossible.
    mutating func take(
        _ record: PacketRecord, _ entry: PacketsOnWay.Entry, waited: UInt64
    ) -> Slip? {
        // A duplicate comes right behind its packet.
        let latest = entry.isScalable ? latestScalable : latestOther
        if hasTwoLines, let latest, record.packet &- latest > .max / 2 {
            return Slip(
                expected: "packets with \(entry.isScalable ? "" : "no ")ECT(1) come in order",
                seen: "packet \(record.packet) of the \(name) comes after packet \(latest)")
        }
        if let threshold, threshold.concerns(entry.codepoint),
            waited > threshold.delay.nanoseconds.magnitude
        {
            guard record.codepoint == .experienced else {
                return Slip(
                    expected: "packet \(record.packet) of the \(name) is marked, as it has waited "
                        + "for longer than \(threshold.delay)",
                    seen: "it arrives \(record.codepoint) after \(waited) ns in the queue")
            }
            late += 1
        }
        if entry.isScalable { latestScalable = record.packet } else { latestOther = record.packet }
        return nil
    }
}

extension LinkTerms.MarkThreshold {
    fileprivate func concerns(_ codepoint: PacketRecord.Codepoint) -> Bool {
        switch codepoint {
        case .notCapable: false
        case .capable: !(onlyScalable ?? false)
        case .scalable, .experienced: true
        }
    }
}
