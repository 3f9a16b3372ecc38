import Quantities

/// A task in the daemon: its record, and its current phase.
///
///     entering ──▶ starting ──▶ waiting ──▶ running ──▶ settling ──▶ resting ──▶ leaving ──▶ gone
///                                  ▲           └──▶ pausing ──┐
///                                  └──────────────────────────┘
///
/// Every promise is durable first: *entering* waits for the store to have the task, *starting* for
/// it to have the resumption, *settling* for the outcome, and *leaving* for the task to be gone.
/// The last two are retried until the store keeps them: what an app has heard is never taken back.
struct DaemonTask: Hashable, Sendable {
    var record: TaskRecord
    var phase: Phase
    /// Requests of the app that came before the store had the task.
    var early: [DaemonRequest] = []
    /// Whether the log knows the task.
    var isAccepted = false
    /// Whether the current process of the app was told how the task finished.
    var isOffered = false
    /// Whether the app was once woken for the task.
    var hasWoken = false
    /// The end of a back-off during which the task was suspended: no attempt begins sooner because
    /// of that (S10).
    var rest: Instant?
    /// The obstacle that was noted last.
    var notedObstacle: String?

    enum Phase: Hashable, Sendable {
        case entering(PersistTicket)
        case starting(PersistTicket)
        /// Waiting for a network, a delay or a charger.
        case waiting
        case running(Lane)
        case pausing(until: Instant)
        case settling(PersistTicket)
        /// Suspended or finished.
        case resting
        /// The app has heard how the task finished.
        case leaving(PersistTicket)
    }

    /// Whether the task runs, or the store has yet to keep its end: it is too early to tell the app
    /// that there is nothing more.
    var isUnderWay: Bool {
        switch phase {
        case .settling: true
        case .entering, .starting, .waiting, .running, .pausing, .resting, .leaving:
            record.state == .running
        }
    }

    var lane: Lane? {
        if case .running(let lane) = phase { lane } else { nil }
    }
}

/// The daemon's view of an app.
struct DaemonClient: Hashable, Sendable {
    let app: UInt16
    var stage = DaemonClientStage.dead
    /// Identifiers of the app's live sessions (B1).
    var attached: [String] = []
    /// Sessions for whose events the app was woken, and of which it has not heard everything.
    var owed: [String] = []
    /// Owed sessions whose waiting events were announced to the app.
    var announced: [String] = []
    /// The delay of a task that is made in the background (B11).
    var delay = BackgroundDelay.first
    /// Whether the system was asked to run the app, and has yet to do so.
    var isAwaited = false
    /// How often the app's data was cleared.
    var installation: UInt32 = 0
    /// Whether the app's process was told that tasks are lost.
    var knowsOfLoss = false

    var hears: Bool {
        switch stage {
        case .inFront, .behind: true
        case .suspended, .dead, .thrownOut, .cleared: false
        }
    }
}
