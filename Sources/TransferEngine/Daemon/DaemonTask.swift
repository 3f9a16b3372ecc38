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
    /// Whether another task continues the download, and has its part.
    var isContinued = false
    /// How many credentials were rejected one after the other, since an answer accepted one.
    var rejections = 0
    /// How far the app has heard that the attempt has come.
    var toldDone = ByteCount.zero
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

    /// Whether only the part of the task's download is left.
    var isPart: Bool { record.isTold && record.state == .finished }

    /// The time from which on the system deletes the part, the next time that it does anything.
    var partDeadline: Instant? { isPart && isResting ? record.deadline : nil }

    var isResting: Bool { if case .resting = phase { true } else { false } }

    var lane: Lane? {
        if case .running(let lane) = phase { lane } else { nil }
    }
}
