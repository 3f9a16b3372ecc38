import Quantities

/// A task in the daemon: what is kept of it, and what is being done for it now.
///
///     entering ──▶ starting ──▶ waiting ──▶ running ──▶ settling ──▶ resting ──▶ leaving ──▶ gone
///                                  ▲           └──▶ pausing ──┐
///                                  └──────────────────────────┘
///
/// Every promise is durable first: *entering* waits for the store to have the task, *starting* for
/// it to have the resumption, *settling* for the outcome, and *leaving* for its being gone. Of the
/// last two the store is asked until it does: what an app has heard is never taken back.
struct DaemonTask: Hashable, Sendable {
    var record: TaskRecord
    var phase: Phase
    /// What the app asked of it before the store had it.
    var early: [DaemonRequest] = []
    /// The log knows of it.
    var isAccepted = false
    /// Its app, as it runs now, was told how it finished.
    var isOffered = false
    /// Its app has been woken for it once.
    var hasWoken = false
    /// Suspended while an error was being slept off: an attempt comes no sooner for that (S10).
    var rest: Instant?
    /// What it was said to wait for last.
    var notedObstacle: String?

    enum Phase: Hashable, Sendable {
        case entering(PersistTicket)
        case starting(PersistTicket)
        /// For a network, a delay or a charger.
        case waiting
        case running(Lane)
        case pausing(until: Instant)
        case settling(PersistTicket)
        /// Suspended, or finished.
        case resting
        /// Its app has heard how it finished.
        case leaving(PersistTicket)
    }

    /// It runs, or its end is on its way into the store: then its app would be told too early that
    /// there is nothing more.
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

/// What the daemon knows of an app.
struct DaemonClient: Hashable, Sendable {
    let app: UInt16
    var stage = DaemonClientStage.dead
    /// Its sessions that are live (B1).
    var attached: [String] = []
    /// Those for whose events it was woken and that it has not been told all of.
    var owed: [String] = []
    /// Those of them of which it has heard that they wait.
    var announced: [String] = []
    /// How long a task has to wait that is made in the background (B11).
    var delay = BackgroundDelay.first
    /// The system was asked to run it, and it has not come to that yet.
    var isAwaited = false
    /// So often its data was cleared.
    var installation: UInt32 = 0
    /// Its process was told that tasks are lost.
    var knowsOfLoss = false

    var hears: Bool {
        switch stage {
        case .inFront, .behind: true
        case .suspended, .dead, .thrownOut, .cleared: false
        }
    }
}
