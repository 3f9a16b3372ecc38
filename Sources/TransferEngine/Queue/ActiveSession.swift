import Quantities

/// The active session and the phase of its activation.
///
///     running ──▶ pausing ──▶ running      an error that may be retried
///        │           └──▶ waitingForNetwork
///        ├──▶ waitingForNetwork ──▶ running      its network is gone, in any phase
///        ├──▶ paused ──▶ running     the app pauses it (A6), in any phase
///        └──▶ settling      the end is decided, in any phase
struct ActiveSession: Hashable, Sendable {
    let id: SessionID
    var phase: Phase

    enum Phase: Hashable, Sendable {
        indirect case running(Attempt)
        /// Backing off after an error.
        case pausing(until: Instant)
        /// Waiting for a network that the session may use.
        case waitingForNetwork
        /// Paused: blocks the queue until the app resumes or ends it.
        case paused
        /// Waiting for the store: the end must be durable before the app hears of it.
        case settling(PersistTicket, SessionResult)
    }

    var attempt: Attempt? {
        if case .running(let attempt) = phase { attempt } else { nil }
    }

    var isSettling: Bool {
        if case .settling = phase { true } else { false }
    }
}
