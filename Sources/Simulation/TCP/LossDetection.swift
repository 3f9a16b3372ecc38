/// State of RACK (RFC 8985): the most recently sent segment that has arrived. A segment sent
/// earlier is lost if it has not arrived within the reordering window.
struct LossDetection {
    private(set) var shortestRoundTrip = UInt64.max
    /// Time by which every segment sent before the newest arrival is lost; `never` if there is
    /// none.
    private(set) var deadline = RetransmissionTimer.never
    private(set) var hasSeenReordering = false
    /// Most recently sent segment that has arrived: departure, end and round trip.
    private var newestSentAt: UInt64 = 0
    private var newestEnd: UInt64 = 0
    private var roundTrip: UInt64 = 0
    /// Highest end of a segment that has arrived.
    private var farthestEnd: UInt64 = 0
    private var window: UInt64 = 0
    /// Quarters of the shortest round trip to wait, and recoveries until that is reset:
    /// RACK.reo_wnd_mult and RACK.reo_wnd_persist.
    private var patience: UInt64 = 1
    private var patientRecoveries = 0
    /// The reordering window does not grow again until this number is acknowledged:
    /// RACK.dsack_round.
    private var patienceGrewUntil: UInt64 = 0

    private static let recoveriesUntilForgotten = 16
    private static let mostPatience: UInt64 = 255
    /// Unless reordering was seen, three segments beyond a hole end the waiting, like the duplicate
    /// acknowledgements of RFC 5681.
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
            // Too soon for the retransmission: this answers an earlier transmission. The eighth
            // allows for packets smaller than the measured ones.
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

    /// Widens the reordering window after a needless retransmission (§6.2, step 4); as in Linux,
    /// only if reordering was seen.
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

    /// Notes a recovery whose retransmissions all arrived as duplicates. The reordering window
    /// stays wide for one recovery longer.
    mutating func recoveryRefuted() {
        patientRecoveries = min(patientRecoveries + 1, Self.recoveriesUntilForgotten)
    }

    /// Forgets reordering if three or more segments had arrived beyond a hole and the timer expired
    /// nevertheless, as in Linux.
    mutating func timedOutQuietly(sackedCount: Int) {
        if sackedCount >= Self.duplicateThreshold { hasSeenReordering = false }
    }

    /// Returns whether a segment on the way is lost. If it may still arrive in time, sets
    /// the deadline.
    mutating func isLost(_ segment: Scoreboard.Segment, at now: UInt64) -> Bool {
        guard
            segment.sentAt < newestSentAt
                || (segment.sentAt == newestSentAt && segment.end < newestEnd)
        else { return false }
        if hadTime(segment, until: now) { return true }
        // By then every segment sent before the newest arrival is lost, so that one timer is
        // enough.
        deadline = newestSentAt + roundTrip + window
        return false
    }

    mutating func reorderingShown() { hasSeenReordering = true }

    mutating func stop() { deadline = RetransmissionTimer.never }

    func hadTime(_ segment: Scoreboard.Segment, until now: UInt64) -> Bool {
        segment.sentAt + roundTrip + window <= now
    }
}
