import RunLog

/// Where tshark and the log differ about a capture, frame by frame, and why.
///
/// tshark sees one end of the network and has to guess what happened elsewhere; the log knows.
package struct TsharkDifferences {
    package private(set) var lines: [Line] = []

    package struct Line {
        /// Counted from 1, as tshark does.
        package var frame: Int
        package var atNanoseconds: UInt64
        /// What the log says of the frame, and what tshark does.
        package var told: Set<Tshark.Finding>
        package var seen: Set<Tshark.Finding>
        /// `nil`: nobody knows.
        package var reason: Reason?
    }

    package enum Reason: String {
        case soonAfterNewer = "less than a first round trip behind newer content (Wireshark #13863)"
        case requested = "overtaken, and asked for twice before it came: taken for the answer"
        case requestedEarlier = "asked for more than 20 ms before, which tshark does not connect"
        case firstSeen = "what it repeats was lost before it came here"
        case offersMore = "offers more than the one before, as no duplicate does (RFC 5681 §2)"
        case copied = "doubled on the way, which nobody here can tell from a repetition"
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

    /// Later than that, tshark takes nothing for the answer to a question: 20 ms.
    private static let answerTime: UInt64 = 20_000_000

    /// Only a reason that the log confirms; what a window was, only the frames say.
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
    /// In tshark's own words.
    package var words: String {
        isEmpty ? "–" : map(\.rawValue).sorted().joined(separator: "+")
    }
}

extension PacketTruth.Frame {
    /// What tshark would say if it knew what the log knows.
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
