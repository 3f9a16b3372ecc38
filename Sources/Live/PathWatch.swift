import RunLog
import RunPlan

/// Knows from the app's events whether any path of its persistent sessions is still to be done.
struct PathWatch {
    private let app: AppPlan
    private let sessions: [PlannedSession]
    /// Sessions that can accept paths.
    private var open: Set<ItemName> = []
    private var moving: Set<TransferName> = []
    /// Paths that the app adds for what it has heard: its events have not said so yet.
    private var owed = 0

    init(_ app: AppPlan, _ sessions: [PlannedSession]) {
        self.app = app
        self.sessions = sessions
    }

    /// Nothing of them outlives a process (P4).
    mutating func appEnded() {
        open = []
        moving = []
        owed = 0
    }

    /// `own` is the number of a session in its app's script.
    mutating func read(_ event: RunEvent, own: (ItemName) -> ItemName) {
        switch event.fact {
        case .queue(.callback(let session, .canAcceptPaths)):
            open.insert(session)
            owed += app.commands(on: .canAcceptPaths(own(session))).reduce(0) { $0 + paths($1) }
        case .queue(.callback(let session, .didStopRunning)): open.remove(session)
        case .queue(.pathAdded(_, let path)):
            moving.insert(path.transfer)
            owed = max(0, owed - 1)
        case .queue(.denied): owed = max(0, owed - 1)
        case .engine(.completes(let transfer)), .engine(.givesUp(let transfer, _)):
            moving.remove(transfer)
        default: break
        }
    }

    /// It has its connection, and only its user can end it.
    func isOpen(_ session: ItemName) -> Bool { open.contains(session) }

    var isIdle: Bool { moving.isEmpty && owed == 0 }

    private func paths(_ command: AppPlan.Command) -> Int {
        switch command {
        case .addPath(let session, nil): sessions[session - 1].uploads.count
        case .addPath: 1
        case .start, .doNotStart, .stop, .enqueue, .save, .deleteAccount, .session, .move, .change,
            .task, .operation,
            .emptyLists, .transfer:
            0
        }
    }
}
