/// Recovery after a loss: how much may be in flight until everything outstanding at the loss is
/// acknowledged.
///
///             loss found              timeout
///     open ───────────────▶ repairing ───────▶ restarting
///      ▲ ▲   (timeout: open ─────────────────▶ restarting)
///      │ └── all acknowledged ──┘                 │
///      └──────────── all acknowledged ────────────┘
///
/// `phase` comes last: like the controller, which follows in `TCPSender`, it is read for every
/// packet.
struct LossRecovery {
    var alarm = FalseAlarm()
    /// Window while repairing, by proportional rate reduction (RFC 6937).
    private(set) var window: UInt64 = 0
    /// Highest sequence number at the latest loss.
    private var point: UInt64 = 0
    private var flightBefore: UInt64 = 0
    private var sentBefore: UInt64 = 0
    private var deliveredBefore: UInt64 = 0
    /// Timeouts so far.
    private(set) var timeouts = 0
    private(set) var phase = Phase.open

    enum Phase {
        case open
        case repairing
        /// Recovering from a timeout, with a window that starts from almost nothing.
        case restarting
    }

    /// Starts to repair a loss. `delivered` is the count before the acknowledgement that showed the
    /// loss.
    ///
    /// While retransmissions of an earlier recovery are on the way, the time of the first one is
    /// kept. Otherwise their answers would be older than all known retransmissions and look like a
    /// false alarm.
    mutating func begin(
        until point: UInt64, from start: UInt64, controller: borrowing CongestionController,
        sent: UInt64, delivered: UInt64, awaitsRepeated: Bool, repeatedOnWay count: Int
    ) {
        phase = .repairing
        self.point = point
        if !awaitsRepeated { alarm.forgetRepetitions() }
        alarm.begin(from: start, controller: controller, repeatedOnWay: count)
        flightBefore = controller.window
        sentBefore = sent
        deliveredBefore = delivered
    }

    /// Notes a timeout. Must come before the threshold is lowered, which happens unless `again`.
    mutating func timedOut(
        until point: UInt64, from start: UInt64, controller: borrowing CongestionController,
        again: Bool, repeatedOnWay count: Int
    ) {
        timeouts += 1
        if phase == .open { alarm.forgetRepetitions() }
        if !again {
            alarm.begin(from: start, controller: controller, repeatedOnWay: count)
        }
        phase = .restarting
        self.point = point
    }

    /// Notes losses that say nothing about congestion.
    mutating func restart(until point: UInt64) {
        phase = .restarting
        self.point = point
    }

    mutating func end() { phase = .open }

    /// Adopts the window of a rate-based controller.
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

    /// Computes the window after an arrival (RFC 6937 §3). As in Linux, it slow-starts towards the
    /// threshold only on `isProgress`: new data is acknowledged and no new loss is found.
    mutating func reduce(
        _ scoreboard: borrowing Scoreboard, segment: UInt64, delivered: UInt64, threshold: UInt64,
        isProgress: Bool
    ) {
        let inFlight = scoreboard.inFlight
        let gone = scoreboard.sent - sentBefore
        let arrived = scoreboard.delivered - deliveredBefore
        var allowance: UInt64
        if inFlight > threshold {
            // In whole segments, rounded up.
            let whole = max(flightBefore, segment) * segment
            let share = (threshold * arrived + whole - 1) / whole * segment
            allowance = share > gone ? share - gone : 0
        } else {
            allowance = max(arrived > gone ? arrived - gone : 0, delivered)
            if isProgress { allowance += segment }
            allowance = min(allowance, threshold - inFlight)
        }
        // Lets the fast retransmission itself leave.
        if gone == 0 { allowance = max(allowance, segment) }
        window = inFlight + allowance
    }
}
