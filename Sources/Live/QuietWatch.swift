import RunLog
import RunPlan

/// Knows from an app's events whether the app is idle: in its queue, in its upload operations, in
/// its resumable transfers, and in the paths of its persistent sessions.
struct QuietWatch {
    private let app: AppPlan
    private let sessions: [PlannedSession]
    /// The items of other apps that are counted before its own.
    private var before: ItemCounts

    // MARK: The queue

    /// How many sessions the app adds at its first launch.
    private let plannedSessions: Int
    private var stages: [ItemName: ItemStage] = [:]
    /// How many sessions were refused, lost with a damaged store, or removed.
    private var absent = 0
    /// Sessions that the app adds for what it has heard since.
    private var owedSessions = 0
    private var activated: Set<ItemName> = []
    private var isQueueStopped = false
    /// A queue that was not started in this launch has not said yet what it will do.
    private var isQueueStarted = false

    // MARK: Operations, transfers and paths

    /// Operations and transfers that are under way. A suspended transfer waits for its user.
    private var ongoing: Set<ItemName> = []
    /// Transfers that have an entry.
    private var listed: Set<ItemName> = []
    /// Transfers that the app has made in this launch and can ask for again, refused ones included.
    private var made: Set<ItemName> = []
    /// Items that the app begins or resumes for what it has heard, before its events say so.
    private var owed: Set<ItemName> = []
    /// Sessions that can accept paths.
    private var open: Set<ItemName> = []
    private var moving: Set<TransferName> = []
    /// Paths that the app adds for what it has heard, before its events say so.
    private var owedPaths = 0

    init(
        _ app: AppPlan = AppPlan(), _ sessions: [PlannedSession] = [],
        before: ItemCounts = ItemCounts()
    ) {
        self.app = app
        self.sessions = sessions
        self.before = before
        plannedSessions = sessions.count - app.later(.queue).count
    }

    /// `launch` counts from the first launch that found nothing of the app's own.
    mutating func launched(_ launch: UInt32) {
        for facade in [Facade.operations, .bucket] {
            owe(app.steps(facade, onLaunch: launch))
        }
    }

    /// A process takes its operations and paths with it (U7, P4); the next launch finds its
    /// transfers suspended (K4).
    mutating func appEnded() {
        ongoing = []
        owed = []
        made = []
        open = []
        moving = []
        owedPaths = 0
        isQueueStarted = false
        isQueueStopped = false
        // The end cut their activations off.
        activated = []
        // An app that dies before it adds a session never adds it.
        owedSessions = min(owedSessions, max(0, known - plannedSessions))
    }

    /// Everything that was under way is gone.
    mutating func dataCleared(before: ItemCounts) {
        self = QuietWatch(app, sessions, before: before)
    }

    // MARK: Answers

    /// Only the app can go on with an open session, and holds its time in the background for that.
    var isLeftOpen: Bool { activated.contains { stages[$0] == .paused || open.contains($0) } }

    /// Every item of the plan has ended, and the app has been told of it; or only the app itself
    /// can go on, because its queue is stopped or blocked by a session that is left open.
    var isIdle: Bool {
        guard ongoing.isEmpty, owed.isEmpty else { return false }
        if sessions.isEmpty { return true }
        guard isQueueStarted, known >= plannedSessions + owedSessions, pathsAreIdle else {
            return false
        }
        if isLeftOpen { return true }
        return activated.isEmpty && (isQueueStopped || stages.values.allSatisfy(\.isTerminal))
    }

    var pathsAreIdle: Bool { moving.isEmpty && owedPaths == 0 }

    /// How many sessions the app has added.
    private var known: Int { stages.count + absent }

    // MARK: What happens

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .store(.setAside(_, _, let kept, _)): lose(allBut: kept)
        case .queue(let fact): read(fact)
        case .engine(let fact): read(fact)
        case .operations(.asked(let operation, .retry)): begin(operation)
        // The event does not say which operation was refused.
        case .operations(.refused): owed.min { $0.number < $1.number }.map { _ = owed.remove($0) }
        case .operations(.callback(let operation, .completed)):
            end(operation, .completed(before.own(operation)))
        case .operations(.callback(let operation, .failed)):
            end(operation, .failed(before.own(operation)))
        case .entries(.asked(let transfer, .transfer)): begin(transfer)
        case .entries(.refused(let transfer, _, _)):
            made.insert(transfer)
            owed.remove(transfer)
        case .entries(.callback(let transfer, let callback)): hear(callback, of: transfer)
        default: break
        }
    }

    private mutating func read(_ fact: QueueFact) {
        switch fact {
        case .storeWasSetAside: owedSessions += app.additionsForSetAside
        case .started:
            isQueueStarted = true
            isQueueStopped = false
        case .stopped: isQueueStopped = true
        case .refused: absent += 1
        case .callback(let session, let callback): hear(callback, of: session)
        case .pathAdded(_, let path):
            moving.insert(path.transfer)
            owedPaths = max(0, owedPaths - 1)
        case .denied: owedPaths = max(0, owedPaths - 1)
        default: break
        }
    }

    private mutating func read(_ fact: EngineFact) {
        switch fact {
        case .accepts(let item, _, _): accept(item)
        case .found(let session, let stage) where session.facade == .queue:
            stages[session] = stage
        case .moves(let session, _, let stage, _) where session.facade == .queue:
            stages[session] = stage
        case .completes(let transfer), .givesUp(let transfer, _): moving.remove(transfer)
        default: break
        }
    }

    private mutating func lose(allBut kept: [ItemName]) {
        let count = stages.count
        stages = stages.filter { kept.contains($0.key) }
        absent += count - stages.count
        let lost = listed.subtracting(kept)
        listed.subtract(lost)
        owed.subtract(lost)
    }

    private mutating func hear(_ callback: SessionCallback, of session: ItemName) {
        switch callback {
        case .row(.removed):
            stages[session] = nil
            absent += 1
        case .willActivate: activated.insert(session)
        case .didDeactivate: activated.remove(session)
        case .canAcceptPaths: open.insert(session)
        case .didStopRunning: open.remove(session)
        default: break
        }
        let occasion = AppPlan.Occasion(callback, of: before.own(session))
        guard let occasion else { return }
        owe(app.commands(on: occasion))
        owedSessions += app.additions(on: occasion)
    }

    private mutating func hear(_ callback: EntryCallback, of transfer: ItemName) {
        let own = before.own(transfer)
        switch callback {
        case .ongoing: ongoing.insert(transfer)
        case .progress: break
        case .suspended:
            ongoing.remove(transfer)
            owe(app.commands(on: .suspended(own)))
        case .completed: end(transfer, .completed(own))
        case .ended: end(transfer, .failed(own))
        }
    }

    private mutating func accept(_ item: ItemName) {
        switch item.facade {
        case .operations: begin(item)
        case .bucket:
            listed.insert(item)
            made.insert(item)
            owed.remove(item)
        case .queue: stages[item] = .waiting
        case .background: break
        }
    }

    private mutating func begin(_ item: ItemName) {
        owed.remove(item)
        ongoing.insert(item)
    }

    private mutating func end(_ item: ItemName, _ occasion: AppPlan.Occasion) {
        listed.remove(item)
        ongoing.remove(item)
        owe(app.commands(on: occasion))
    }

    private mutating func owe(_ commands: [AppPlan.Command]) {
        for command in commands {
            switch command {
            case .item(.begin, let own) where own.facade == .operations || own.facade == .bucket:
                owed.insert(before.name(own))
            case .item(.retry, let own): owed.insert(before.name(own))
            // Without an entry there is nothing to go on with, unless this launch has made it.
            case .item(.resume, let own) where own.facade == .bucket:
                let name = before.name(own)
                if listed.contains(name) || made.contains(name) { owed.insert(name) }
            case .addPath(let session, let path):
                owedPaths += path == nil ? sessions[session - 1].uploads.count : 1
            case .item, .start, .doNotStart, .stop, .save, .deleteAccount, .move, .insert, .change,
                .shorten, .emptyLists, .listen, .signIn, .invalidate, .demarcate:
                break
            }
        }
    }
}
