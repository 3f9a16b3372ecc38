/// What RACK knows (RFC 8985): the latest sent of all segments that have arrived; what was sent
/// before it and has not arrived within the reordering window after it is lost.
struct LossDetection {
    /// The shortest round trip measured on this connection.
    private(set) var shortestRoundTrip = UInt64.max
    /// When everything sent before the newest arrival will be lost, if it does not arrive; `never`
    /// while there is nothing of the kind.
    private(set) var deadline = RetransmissionTimer.never
    private(set) var hasSeenReordering = false
    /// Of all segments that have arrived the one that was sent last: when, its end, its round trip.
    private var newestSentAt: UInt64 = 0
    private var newestEnd: UInt64 = 0
    private var roundTrip: UInt64 = 0
    /// The end of the farthest segment that has arrived.
    private var farthestEnd: UInt64 = 0
    private var window: UInt64 = 0
    /// How many quarters of the shortest round trip late arrivals are waited for, and for how many
    /// recoveries more it will be so many: RACK.reo_wnd_mult and RACK.reo_wnd_persist.
    private var patience: UInt64 = 1
    private var patientRecoveries = 0
    /// One more is enough until all that was sent then is acknowledged: RACK.dsack_round.
    private var patienceGrewUntil: UInt64 = 0

    private static let recoveriesUntilForgotten = 16
    private static let mostPatience: UInt64 = 255
    /// RFC 5681's three duplicates: so many segments beyond a hole make waiting needless.
    private static let duplicateThreshold = 3

    @inline(__always)
    mutating func measure(_ roundTrip: UInt64) {
        if roundTrip < shortestRoundTrip { shortestRoundTrip = roundTrip }
    }

    /// A segment has arrived (§6.2, steps 2 and 3).
    @inline(__always)
    mutating func note(_ segment: Scoreboard.Segment, at now: UInt64) {
        let end = segment.end
        let time = now &- segment.sentAt
        if segment.isRepeated {
            // So soon it can only be an earlier transmission that has arrived. An eighth is for
            // packets that are smaller than those that were measured.
            if time < shortestRoundTrip - shortestRoundTrip / 8 { return }
        } else if end < farthestEnd {
            hasSeenReordering = true
        }
        if end > farthestEnd { farthestEnd = end }
        guard segment.sentAt > newestSentAt || (segment.sentAt == newestSentAt && end > newestEnd)
        else { return }
        newestSentAt = segment.sentAt
        newestEnd = end
        roundTrip = time
    }

    /// Before a row of segments is judged: how long those sent earlier are waited for (§6.2, step
    /// 4).
    mutating func open(sackedCount: Int, smoothed: UInt64, isRecovering: Bool) {
        deadline = RetransmissionTimer.never
        let isImpatient = isRecovering || sackedCount >= Self.duplicateThreshold
        window =
            shortestRoundTrip == .max || (!hasSeenReordering && isImpatient)
            ? 0 : min(shortestRoundTrip / 4 * patience, smoothed)
    }

    /// Something was sent again in vain: late arrivals are waited for longer (§6.2, step 4), but,
    /// as in Linux, only if some have been seen.
    mutating func duplicateTold(acknowledged: UInt64, next: UInt64) {
        guard hasSeenReordering, acknowledged >= patienceGrewUntil else { return }
        patience = min(patience + 1, Self.mostPatience)
        patientRecoveries = Self.recoveriesUntilForgotten
        patienceGrewUntil = next
    }

    /// A recovery that was needed is over.
    mutating func recoveryEnded() {
        guard patientRecoveries > 0 else { return }
        patientRecoveries -= 1
        if patientRecoveries == 0 { patience = 1 }
    }

    /// A recovery was for nothing, as all that it has sent again came twice.
    mutating func recoveryRefuted() {
        patientRecoveries = min(patientRecoveries + 1, Self.recoveriesUntilForgotten)
    }

    /// Not even the retransmission timer has shown what so many segments beyond a hole would have:
    /// to take that for reordering was too much (Linux).
    mutating func timedOutQuietly(sackedCount: Int) {
        if sackedCount >= Self.duplicateThreshold { hasSeenReordering = false }
    }

    /// Whether a segment on the way must be lost; if it only may be, `deadline` says when it will.
    mutating func isLost(_ segment: Scoreboard.Segment, at now: UInt64) -> Bool {
        guard
            segment.sentAt < newestSentAt
                || (segment.sentAt == newestSentAt && segment.end < newestEnd)
        else { return false }
        if hadTime(segment, until: now) { return true }
        // Later segments of the row are lost no later than this, so that one timer is enough.
        deadline = newestSentAt + roundTrip + window
        return false
    }

    /// Something that was thought lost had only been overtaken.
    mutating func reorderingShown() { hasSeenReordering = true }

    mutating func stop() { deadline = RetransmissionTimer.never }

    func hadTime(_ segment: Scoreboard.Segment, until now: UInt64) -> Bool {
        segment.sentAt + roundTrip + window <= now
    }
}
