import RunLog

/// Where tshark and the log differ about a capture, frame by frame, and why.
///
/// tshark sees one end of the network and has to guess what happened elsewhere; the log knows.
struct TsharkDifferences {
    var lines: [Line] = []

    struct Line: CustomStringConvertible {
        var frame: Int
        var atNanoseconds: UInt64
        var told: Set<Tshark.Finding>
        var seen: Set<Tshark.Finding>
        /// `nil`: nobody knows.
        var reason: Reason?

        var description: String {
            "frame \(frame), \(atNanoseconds / 1_000) µs: tshark \(Self.words(seen)), "
                + "log \(Self.words(told)): \(reason?.rawValue ?? "UNEXPLAINED")"
        }

        private static func words(_ findings: Set<Tshark.Finding>) -> String {
            findings.isEmpty ? "–" : findings.map(\.rawValue).sorted().joined(separator: "+")
        }
    }

    enum Reason: String {
        case soonAfterNewer = "less than a first round trip behind newer content (Wireshark #13863)"
        case requested = "overtaken, and asked for twice before it came: taken for the answer"
        case firstSeen = "what it repeats was lost before it came here"
        case copied = "doubled on the way, which nobody here can tell from a repetition"
    }

    init(_ tshark: Tshark, _ truth: PacketTruth) {
        for (index, (frame, fact)) in zip(tshark.frames, truth.frames).enumerated() {
            guard frame.findings != fact.findings else { continue }
            lines.append(
                Line(
                    frame: index + 1, atNanoseconds: fact.record.atNanoseconds,
                    told: fact.findings, seen: frame.findings,
                    reason: Self.reason(frame.findings, fact, truth.firstRoundTrip)))
        }
    }

    /// Only a reason that the log confirms.
    private static func reason(
        _ seen: Set<Tshark.Finding>, _ fact: PacketTruth.Frame, _ firstRoundTrip: UInt64
    ) -> Reason? {
        if fact.facts.contains(.copy) { return .copied }
        if fact.facts.isSuperset(of: [.repeated, .followsGap]) { return .firstSeen }
        if fact.facts.contains(.repeated), seen == [.outOfOrder] {
            return fact.sinceNewest < firstRoundTrip ? .soonAfterNewer : nil
        }
        if fact.facts.isSuperset(of: [.overtaken, .askedFor]),
            seen == [.retransmission, .fastRetransmission]
        {
            return .requested
        }
        return nil
    }
}

extension PacketTruth.Frame {
    /// What tshark would say if it knew what the log knows.
    var findings: Set<Tshark.Finding> {
        var findings: Set<Tshark.Finding> = []
        if facts.contains(.repeated) {
            findings.insert(.retransmission)
            if facts.contains(.needless) {
                findings.insert(.spurious)
            } else if facts.contains(.askedFor) {
                findings.insert(.fastRetransmission)
            }
        } else if facts.contains(.overtaken) {
            findings.insert(.outOfOrder)
        }
        if facts.contains(.followsGap) { findings.insert(.lostBefore) }
        if facts.contains(.acknowledgesAgain) { findings.insert(.duplicateAcknowledgement) }
        return findings
    }
}
