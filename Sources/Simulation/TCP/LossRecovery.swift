/// What follows a loss: how much may be in flight until all that was outstanding then is
/// acknowledged.
///
///             loss found              timeout
///     open ───────────────▶ repairing ───────▶ restarting
///      ▲ ▲   (timeout: open ─────────────────▶ restarting)
///      │ └── all acknowledged ──┘                 │
///      └──────────── all acknowledged ────────────┘
///
/// The phase stands last, for it is asked for at every packet, as is what follows in the sender.
struct LossRecovery {
    var alarm = FalseAlarm()
    /// While repairing: the window of proportional rate reduction (RFC 6937).
    private(set) var window: UInt64 = 0
    /// Highest sequence number at the latest loss.
    private var point: UInt64 = 0
    private var flightBefore: UInt64 = 0
    private var sentBefore: UInt64 = 0
    private var deliveredBefore: UInt64 = 0
    private(set) var phase = Phase.open

    private static let segment = UInt64(Packet.maximumPayload)

    enum Phase {
        case open
        case repairing
        /// After a timeout, with a window that starts from almost nothing.
        case restarting
    }

    /// Starts to repair a first loss; the figures are from before the acknowledgement that showed
    /// it.
    ///
    /// Retransmissions of an earlier recovery may be on the way. Their answers are older than the
    /// new retransmissions, which does not mean a false alarm.
    mutating func begin(
        until point: UInt64, from start: UInt64, controller: borrowing CongestionController,
        sent: UInt64, delivered: UInt64, awaitsRepeated: Bool, repeatedOnWay count: Int
    ) {
        phase = .repairing
        self.point = point
        if !awaitsRepeated { alarm.forgetRepetitions() }
        alarm.begin(from: start, controller: controller, repeatedOnWay: count)
        flightBefore = max(controller.window, Self.segment)
        sentBefore = sent
        deliveredBefore = delivered
    }

    /// Notes a timeout, before the threshold is lowered unless this happens `again`.
    mutating func timedOut(
        until point: UInt64, from start: UInt64, controller: borrowing CongestionController,
        again: Bool, repeatedOnWay count: Int
    ) {
        if phase == .open { alarm.forgetRepetitions() }
        if !again {
            alarm.begin(from: start, controller: controller, repeatedOnWay: count)
        }
        phase = .restarting
        self.point = point
    }

    mutating func end() { phase = .open }

    /// Takes the window of a rate-based controller.
    mutating func follow(_ controller: borrowing CongestionController) {
        window = controller.window
    }

    /// Ends the recovery once everything outstanding at its start is acknowledged.
    mutating func advance(to unacknowledged: UInt64) {
        if phase == .open {
            alarm.forgetRepetitions()
        } else if unacknowledged >= point {
            phase = .open
        }
    }

    /// Computes the window after an arrival (RFC 6937 §3 as in Linux: slow start towards the
    /// threshold only while retransmissions arrive).
    mutating func reduce(
        _ scoreboard: borrowing Scoreboard, delivered: UInt64, threshold: UInt64, isProgress: Bool
    ) {
        let inFlight = scoreboard.inFlight
        let gone = scoreboard.sent - sentBefore
        let arrived = scoreboard.delivered - deliveredBefore
        var allowance: UInt64
        if inFlight > threshold {
            // In whole segments, rounded up.
            let whole = flightBefore * Self.segment
            let share = (threshold * arrived + whole - 1) / whole * Self.segment
            allowance = share > gone ? share - gone : 0
        } else {
            allowance = max(arrived > gone ? arrived - gone : 0, delivered)
            if isProgress { allowance += Self.segment }
            allowance = min(allowance, threshold - inFlight)
        }
        // The fast retransmit itself.
        if gone == 0 { allowance = max(allowance, Self.segment) }
        window = inFlight + allowance
    }
}
