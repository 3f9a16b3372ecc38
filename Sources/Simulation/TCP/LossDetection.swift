/// State of RACK (RFC 8985): the most recently sent segment that has arrived. A segment sent
/// earlier is lost if it has not arrived within the reordering window.
struct LossDetection {
    private(set) var shortestRoundTrip = UInt64.max
    /// When segments sent before the newest arrival are lost; `never` if there are none.
    private(set) var deadline = RetransmissionTimer.never
    private(set) var hasSeenReordering = false
    /// Most recently sent segment that has arrived: time of sending, end, round trip.
    private var newestSentAt: UInt64 = 0
    private var newestEnd: UInt64 = 0
    private var roundTrip: UInt64 = 0
    /// The end of the farthest segment that has arrived.
    private var farthestEnd: UInt64 = 0
    private var window: UInt64 = 0
    /// How many quarters of the shortest round trip to wait, and for how many recoveries more:
    /// RACK.reo_wnd_mult and RACK.reo_wnd_persist.
    private var patience: UInt64 = 1
    private var patientRecoveries = 0
    /// The window grows once until this number is acknowledged: RACK.dsack_round.
    private var patienceGrewUntil: UInt64 = 0

    private static let recoveriesUntilForgotten = 16
    private static let mostPatience: UInt64 = 255
    /// RFC 5681's three duplicates end the waiting.
    private static let duplicateThreshold = 3

    @inline(__always)
    mutating func measure(_ roundTrip: UInt64) {
        if roundTrip < shortestRoundTrip { shortestRoundTrip = roundTrip }
    }

    /// Notes a segment that has arrived (§6.2, steps 2 and 3).
    @inline(__always)
    mutating func note(_ segment: Scoreboard.Segment, at now: UInt64) {
        let end = segment.end
        let time = now &- segment.sentAt
        if segment.isRepeated {
            // Too soon for the retransmission: an earlier transmission has arrived. The eighth
            // allows for smaller packets than the measured ones.
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

    /// Sets the reordering window before segments are judged (§6.2, step 4).
    mutating func open(sackedCount: Int, smoothed: UInt64, isRecovering: Bool) {
        deadline = RetransmissionTimer.never
        let isImpatient = isRecovering || sackedCount >= Self.duplicateThreshold
        window =
            shortestRoundTrip == .max || (!hasSeenReordering && isImpatient)
            ? 0 : min(shortestRoundTrip / 4 * patience, smoothed)
    }

    /// Widens the reordering window after a needless retransmission (§6.2, step 4), but, as in
    /// Linux, only if there was reordering.
    mutating func duplicateTold(acknowledged: UInt64, next: UInt64) {
        guard hasSeenReordering, acknowledged >= patienceGrewUntil else { return }
        patience = min(patience + 1, Self.mostPatience)
        patientRecoveries = Self.recoveriesUntilForgotten
        patienceGrewUntil = next
    }

    /// Notes the end of a recovery that was needed.
    mutating func recoveryEnded() {
        guard patientRecoveries > 0 else { return }
        patientRecoveries -= 1
        if patientRecoveries == 0 { patience = 1 }
    }

    /// Notes a recovery of which all retransmissions arrived as duplicates.
    mutating func recoveryRefuted() {
        patientRecoveries = min(patientRecoveries + 1, Self.recoveriesUntilForgotten)
    }

    /// Forgets reordering if so many segments beyond a hole arrived and yet the timer expired
    /// (Linux).
    mutating func timedOutQuietly(sackedCount: Int) {
        if sackedCount >= Self.duplicateThreshold { hasSeenReordering = false }
    }

    /// Whether a segment on the way is lost. If it may become lost, `deadline` says when.
    mutating func isLost(_ segment: Scoreboard.Segment, at now: UInt64) -> Bool {
        guard
            segment.sentAt < newestSentAt
                || (segment.sentAt == newestSentAt && segment.end < newestEnd)
        else { return false }
        if hadTime(segment, until: now) { return true }
        // Later segments are lost no later than this one, so that one timer is enough.
        deadline = newestSentAt + roundTrip + window
        return false
    }

    mutating func reorderingShown() { hasSeenReordering = true }

    mutating func stop() { deadline = RetransmissionTimer.never }

    func hadTime(_ segment: Scoreboard.Segment, until now: UInt64) -> Bool {
        segment.sentAt + roundTrip + window <= now
    }
}
