import RunLog

/// Differences between tshark and the log about a capture, frame by frame, with their reasons.
/// tshark sees only one place and must guess the events elsewhere; the log knows them.
package struct TsharkDifferences {
    package private(set) var lines: [Line] = []

    package struct Line {
        /// The frame's number, counted from 1 as in tshark.
        package var frame: Int
        package var atNanoseconds: UInt64
        /// The findings of the log and of tshark.
        package var told: Set<Tshark.Finding>
        package var seen: Set<Tshark.Finding>
        /// The reason; `nil` if it is unknown.
        package var reason: Reason?
    }

    package enum Reason: String {
        case soonAfterNewer = "within a first round trip after newer content (Wireshark #13863)"
        case requested = "out of order after two duplicate acknowledgements, so taken for a resend"
        case requestedEarlier = "a resend more than 20 ms after its duplicate acknowledgements"
        case firstSeen = "a resend of a packet that was lost before this place"
        case offersMore = "a larger window, so not a duplicate (RFC 5681 §2)"
        case copied = "a copy made on the way, which looks like a retransmission here"
    }

    package init(_ tshark: Tshark, _ truth: PacketTruth) {
        for (index, (frame, fact)) in zip(tshark.frames, truth.frames).enumerated() {
            guard frame.findings != fact.findings else { continue }
            lines.append(
                Line(
                    frame: index + 1, atNanoseconds: fact.record.atNanoseconds,
                    told: fact.findings, seen: frame.findings,
                    reason: Self.reason(frame, fact)))
        }
    }

    /// The limit after which tshark takes no packet for a fast retransmission: 20 ms.
    private static let answerTime: UInt64 = 20_000_000

    /// Returns a reason that the log confirms, or that follows from the windows in the frames.
    private static func reason(_ frame: Tshark.Frame, _ fact: PacketTruth.Frame) -> Reason? {
        let seen = frame.findings
        if fact.facts.contains(.copy) { return .copied }
        if fact.facts.isSuperset(of: [.repeated, .followsGap]) { return .firstSeen }
        if fact.facts.contains(.repeated), seen == [.outOfOrder] {
            return fact.sinceNewest < fact.firstRoundTrip ? .soonAfterNewer : nil
        }
        if fact.facts.isSuperset(of: [.repeated, .askedFor]), seen == [.retransmission] {
            return fact.sinceAsked >= answerTime ? .requestedEarlier : nil
        }
        if fact.facts.isSuperset(of: [.overtaken, .askedFor]),
            seen == [.retransmission, .fastRetransmission]
        {
            return .requested
        }
        if fact.findings == [.duplicateAcknowledgement], seen == [.windowUpdate] {
            return frame.offersMore ? .offersMore : nil
        }
        return nil
    }
}

extension Set<Tshark.Finding> {
    /// The findings in tshark's words.
    package var words: String {
        isEmpty ? "–" : map(\.rawValue).sorted().joined(separator: "+")
    }
}

extension PacketTruth.Frame {
    /// The findings that tshark would have with the log's knowledge.
    package var findings: Set<Tshark.Finding> {
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
