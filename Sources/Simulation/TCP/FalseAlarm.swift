/// Detects needless recoveries and remembers the state before them. Nothing was lost if an
/// acknowledgement answers a packet older than all retransmissions (RFC 3522), or if all
/// retransmissions are reported as duplicates (RFC 2883 §5, RFC 3708).
///
/// The sender decides when to ask and what counts, as Linux does.
struct FalseAlarm {
    /// Controller's state before the reduction; `nil` if the reduction was due in any case, or was
    /// undone.
    private var controllerBefore: CongestionController.Memory?
    /// The first unacknowledged number when the recovery began.
    private var start: UInt64 = 0
    /// Retransmissions not reported as duplicates; `nil` before the first retransmission.
    private var unrefuted: Int?
    /// Time of the first retransmission of this recovery.
    private var repeatedFirstAt = RetransmissionTimer.never

    /// Notes that the controller is about to reduce its window. The `count` retransmissions on the
    /// way may still be reported as duplicates.
    mutating func begin(
        from start: UInt64, controller: borrowing CongestionController, repeatedOnWay count: Int
    ) {
        self.start = start
        controllerBefore = controller.memory
        unrefuted = count > 0 ? count : nil
    }

    mutating func forgetRepetitions() { repeatedFirstAt = RetransmissionTimer.never }

    /// Notes a retransmission.
    mutating func repeats(at now: UInt64) {
        if repeatedFirstAt == RetransmissionTimer.never { repeatedFirstAt = now }
        unrefuted = (unrefuted ?? 0) + 1
    }

    /// Notes segments reported as duplicates.
    mutating func reported(_ count: Int, endingAt end: UInt64) {
        guard let left = unrefuted, end > start else { return }
        unrefuted = max(0, left - count)
    }

    /// Rules out a false alarm, because the reduction was due in any case.
    mutating func confirm() { controllerBefore = nil }

    /// Returns the controller's earlier state, once.
    mutating func takeBack() -> CongestionController.Memory? {
        defer { controllerBefore = nil }
        return controllerBefore
    }

    /// Whether `echo`, from an acknowledgement of new data, is older than all retransmissions.
    func isBelied(by echo: UInt64) -> Bool { controllerBefore != nil && echo < repeatedFirstAt }

    /// Whether all retransmissions are reported as duplicates.
    var isRefuted: Bool { controllerBefore != nil && unrefuted == 0 }
}
