/// Spreads segments in time, so that they leave at a rate and not in bursts; senders whose
/// controller asks for no rate are not held back.
struct Pacer {
    let isOn: Bool
    /// The earliest moment at which the next segment may leave.
    private(set) var departure: UInt64 = 0
    /// The same while a segment waits for it; `never` while none does.
    private(set) var deadline = RetransmissionTimer.never
    private var segmentsSent = 0

    /// Linux: the first of a connection are not held back.
    private static let freeSegments = 9

    init(isOn: Bool) { self.isOn = isOn }

    /// Whether a segment may leave now; if not, the deadline says when.
    mutating func mayLeave(at now: UInt64) -> Bool {
        guard departure > now else { return true }
        deadline = departure
        return false
    }

    mutating func stopWaiting() { deadline = RetransmissionTimer.never }

    /// So much has left, headers and all.
    mutating func left(_ bytes: UInt64, at now: UInt64, rate: FlowRate) {
        let credit = now - min(departure, now)
        departure = max(departure, now)
        segmentsSent += 1
        guard segmentsSent > Self.freeSegments, rate > .zero else { return }
        // Linux: a sender that is late makes up for it by half a segment's time at most.
        let time = rate.time(for: bytes)
        departure += time - min(time / 2, credit)
    }
}
