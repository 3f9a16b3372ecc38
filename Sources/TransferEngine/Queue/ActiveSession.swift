import Quantities

/// The active session and the phase of its activation.
///
///     running ──▶ pausing ──▶ running      an error that may be retried
///        │           └──▶ waitingForNetwork
///        ├──▶ waitingForNetwork ──▶ running      its network is gone, in any phase
///        ├──▶ paused ──▶ running     the app pauses it (A6), in any phase
///        └──▶ settling      the end is decided, in any phase
///
/// Its attempt is changed where it is: there may be hundreds of connections and thousands of paths.
struct ActiveSession: Hashable, Sendable {
    let id: SessionID
    var phase: Phase { didSet { if phase != .running { attempt = nil } } }
    /// The attempt, while the session is running.
    var attempt: Attempt?

    init(id: SessionID, phase: Phase) {
        self.id = id
        self.phase = phase
    }

    init(id: SessionID, running attempt: Attempt) {
        self.id = id
        phase = .running
        self.attempt = attempt
    }

    enum Phase: Hashable, Sendable {
        case running
        /// Backing off after an error.
        case pausing(until: Instant)
        /// Waiting for a network that the session may use.
        case waitingForNetwork
        /// Paused: blocks the queue until the app resumes or ends it.
        case paused
        /// Waiting for the store: the end must be durable before the app hears of it.
        case settling(PersistTicket, SessionResult)
    }

    var isSettling: Bool {
        if case .settling = phase { true } else { false }
    }
}
