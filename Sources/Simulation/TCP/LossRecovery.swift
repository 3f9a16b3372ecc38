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
    /// While repairing: proportional rate reduction's window (RFC 6937).
    private(set) var window: UInt64 = 0
    /// The end of what had been sent when the latest loss was found.
    private var point: UInt64 = 0
    private var flightBefore: UInt64 = 0
    private var sentBefore: UInt64 = 0
    private var deliveredBefore: UInt64 = 0
    private(set) var phase = Phase.open

    private static let segment = UInt64(Packet.maximumPayload)

    enum Phase {
        case open
        case repairing
        /// After a timeout: the controller's window grows from next to nothing.
        case restarting
    }

    /// A first loss was found; the numbers are those before the acknowledgement that showed it.
    ///
    /// What an earlier recovery has sent again may still be on the way: the answer to that is older
    /// than whatever is sent again now, and yet no sign of a false alarm.
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

    /// The threshold is about to be lowered, unless that has been done for the same trouble.
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

    /// A controller that goes by rates says itself how much may be in flight.
    mutating func follow(_ controller: borrowing CongestionController) {
        window = controller.window
    }

    /// All before this is acknowledged, and perhaps all that was outstanding.
    mutating func advance(to unacknowledged: UInt64) {
        if phase == .open {
            alarm.forgetRepetitions()
        } else if unacknowledged >= point {
            phase = .open
        }
    }

    /// Something has arrived: so much may be in flight now (RFC 6937 §3, in Linux's form: slow
    /// start towards the threshold only while repetitions arrive).
    mutating func reduce(
        _ scoreboard: borrowing Scoreboard, delivered: UInt64, threshold: UInt64, isProgress: Bool
    ) {
        let inFlight = scoreboard.inFlight
        let gone = scoreboard.sent - sentBefore
        let arrived = scoreboard.delivered - deliveredBefore
        var allowance: UInt64
        if inFlight > threshold {
            // In whole segments, and rather one more.
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
