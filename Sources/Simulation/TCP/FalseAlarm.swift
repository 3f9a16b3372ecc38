/// Whether a recovery was for nothing, and how it was before: nothing was lost if an answer is
/// older than all that was sent again (RFC 3522), or if all of that is reported to have come twice
/// (RFC 2883 §5, RFC 3708).
///
/// When it is asked is the sender's business, and as in Linux; so is what counts.
struct FalseAlarm {
    /// None if the reduction was due in any case, or was taken back.
    private var controllerBefore: CongestionController.Memory?
    /// What was unacknowledged first when the trouble began.
    private var start: UInt64 = 0
    /// So many segments that were sent again were not reported to have come twice; none while
    /// nothing was sent again.
    private var unrefuted: Int?
    /// When something was sent again for the first time since all was well.
    private var repeatedFirstAt = RetransmissionTimer.never

    /// The controller is about to reduce its window; what has been sent again before and is on the
    /// way may be reported yet.
    mutating func begin(
        from start: UInt64, controller: borrowing CongestionController, repeatedOnWay count: Int
    ) {
        self.start = start
        controllerBefore = controller.memory
        unrefuted = count > 0 ? count : nil
    }

    /// What was sent again is older than the next trouble.
    mutating func forgetRepetitions() { repeatedFirstAt = RetransmissionTimer.never }

    /// Something lost leaves again.
    mutating func repeats(at now: UInt64) {
        if repeatedFirstAt == RetransmissionTimer.never { repeatedFirstAt = now }
        unrefuted = (unrefuted ?? 0) + 1
    }

    /// So many segments have come twice.
    mutating func reported(_ count: Int, endingAt end: UInt64) {
        guard let left = unrefuted, end > start else { return }
        unrefuted = max(0, left - count)
    }

    /// The reduction was due in any case: there is no way back.
    mutating func confirm() { controllerBefore = nil }

    /// Hands out the controller as it was, once.
    mutating func takeBack() -> CongestionController.Memory? {
        defer { controllerBefore = nil }
        return controllerBefore
    }

    /// More has arrived, and the stamp in its answer is older than all that was sent again.
    func isBelied(by echo: UInt64) -> Bool { controllerBefore != nil && echo < repeatedFirstAt }

    /// All that was sent again has come twice.
    var isRefuted: Bool { controllerBefore != nil && unrefuted == 0 }
}
