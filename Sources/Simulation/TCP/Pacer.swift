/// Spaces segments at the sender's rate, if it has one.
struct Pacer {
    let isOn: Bool
    /// The earliest time at which the next segment may leave.
    private(set) var departure: UInt64 = 0
    /// `departure` while a segment waits for it, otherwise `never`.
    private(set) var deadline = RetransmissionTimer.never
    private var segmentsSent = 0

    /// Number of a connection's first segments that Linux does not delay.
    private static let freeSegments = 9

    init(isOn: Bool) { self.isOn = isOn }

    /// Returns whether a segment may leave now. If not, sets the deadline.
    mutating func mayLeave(at now: UInt64) -> Bool {
        guard departure > now else { return true }
        deadline = departure
        return false
    }

    mutating func stopWaiting() { deadline = RetransmissionTimer.never }

    /// Notes that a packet of this size has left.
    mutating func left(_ bytes: UInt64, at now: UInt64, rate: FlowRate) {
        let credit = now - min(departure, now)
        departure = max(departure, now)
        segmentsSent += 1
        guard segmentsSent > Self.freeSegments, rate > .zero else { return }
        // As in Linux, a late sender makes up for at most half a segment's time.
        let time = rate.time(for: bytes)
        departure += time - min(time / 2, credit)
    }
}
