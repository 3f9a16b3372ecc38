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
            let words = [seen, told].map { findings in
                findings.isEmpty
                    ? "nothing" : findings.map(\.rawValue).sorted().joined(separator: ", ")
            }
            return "frame \(frame), \(atNanoseconds / 1_000) µs: tshark says \(words[0]), the log "
                + "\(words[1]): \(reason?.rawValue ?? "UNEXPLAINED")"
        }
    }

    enum Reason: String {
        case soonAfterNewer = """
            it stands less than a first round trip behind newer content, which tshark takes for \
            overtaking (Wireshark issue 13863)
            """
        case lateRequest = "it left more than 20 ms after the last acknowledgement that asks for it"
        case requestLater = "it was asked for when it was on its way already"
        case firstSeen = "what it repeats was lost before it came here"
        case copied = "the way has doubled it, which nobody here can tell from a repetition"
        case lateArrival = "it comes so late that tshark takes it for a repetition"
        case damaged = "it is damaged, and its receiver does not look at it"
    }

    init(_ tshark: Tshark, _ truth: PacketTruth) {
        for (index, (frame, fact)) in zip(tshark.frames, truth.frames).enumerated() {
            let told = fact.findings
            guard frame.findings != told else { continue }
            lines.append(
                Line(
                    frame: index + 1, atNanoseconds: fact.record.atNanoseconds, told: told,
                    seen: frame.findings,
                    reason: Self.reason(told, frame, fact)))
        }
    }

    private static func reason(
        _ told: Set<Tshark.Finding>, _ frame: Tshark.Frame, _ fact: PacketTruth.Frame
    ) -> Reason? {
        let seen = frame.findings
        if !frame.isSound { return .damaged }
        if fact.facts.contains(.copy) { return .copied }
        if fact.facts.isSuperset(of: [.repeated, .followsGap]) { return .firstSeen }
        if fact.facts.contains(.repeated), seen.contains(.outOfOrder) { return .soonAfterNewer }
        if told.subtracting(seen) == [.fastRetransmission] { return .lateRequest }
        if seen.subtracting(told) == [.fastRetransmission] { return .requestLater }
        if fact.facts.contains(.overtaken), seen.contains(.retransmission) { return .lateArrival }
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
