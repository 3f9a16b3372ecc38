import Quantities

/// The session whose turn it is: where its activation stands.
///
///     running ──▶ pausing ──▶ running      an error that may be tried again
///        │           └──▶ waitingForNetwork
///        ├──▶ waitingForNetwork ──▶ running      its network is gone, from wherever it was
///        ├──▶ paused ──▶ running     the app wants it so (A6), from wherever it was
///        └──▶ settling      the end is decided, from wherever it was
struct ActiveSession: Hashable, Sendable {
    let id: SessionID
    var phase: Phase

    enum Phase: Hashable, Sendable {
        indirect case running(Attempt)
        /// An error is being slept off.
        case pausing(until: Instant)
        /// There is no network, or none that it may use.
        case waitingForNetwork
        /// It blocks the queue until the app resumes it, or ends it otherwise.
        case paused
        /// The end is decided and must be durable before the app hears of it.
        case settling(PersistTicket, SessionResult)
    }

    var attempt: Attempt? {
        if case .running(let attempt) = phase { attempt } else { nil }
    }

    var isSettling: Bool {
        if case .settling = phase { true } else { false }
    }
}
