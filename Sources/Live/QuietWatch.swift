import RunLog
import RunPlan

/// Knows from the app's events whether it has anything left to do.
struct QuietWatch {
    /// Those that the app adds at its launch.
    private let plannedSessions: Int
    /// A queue into which nothing ever comes is none.
    private let hasQueue: Bool
    /// Those that it adds for what it has heard of since; one that dies before it can never will.
    private var owedSessions = 0
    private let app: AppPlan
    /// The items of other apps that are counted before its own.
    private var before: ItemCounts
    private var stages: [ItemName: ItemStage] = [:]
    private var refusals = 0
    /// They were in a store that was damaged.
    private var lost = 0
    private var removals = 0
    /// All that it does beside its queue.
    private var items: ItemWatch
    private var isQueueStopped = false
    private var activated: Set<ItemName> = []
    /// A queue that was not started yet in this launch has not said what it will do.
    private var isQueueStarted = false

    init(
        plannedSessions: Int, app: AppPlan = AppPlan(), before: ItemCounts = ItemCounts(),
        sessions: [PlannedSession] = []
    ) {
        items = ItemWatch(app, sessions, before: before)
        self.plannedSessions = plannedSessions - app.later(.queue).count
        hasQueue = plannedSessions > 0
        self.app = app
        self.before = before
    }

    /// `launch` counts from the first on which the app found nothing of its own.
    mutating func launched(_ launch: UInt32) { items.launched(launch) }

    mutating func appEnded() {
        items.appEnded()
        isQueueStarted = false
        isQueueStopped = false
        // The end cut their activations off.
        activated = []
        owedSessions = min(
            owedSessions, max(0, stages.count + refusals + removals + lost - plannedSessions))
    }

    /// Nothing of what was said before is left to be done.
    mutating func dataCleared(before: ItemCounts) {
        items.dataCleared(before: before)
        self.before = before
        stages = [:]
        refusals = 0
        lost = 0
        removals = 0
        owedSessions = 0
    }

    mutating func read(_ event: RunEvent) {
        items.read(event)
        switch event.fact {
        case .store(.setAside(_, _, let kept, _)):
            let before = stages.count
            stages = stages.filter { kept.contains($0.key) }
            lost += before - stages.count
        case .queue(.storeWasSetAside): owedSessions += app.additionsForSetAside
        case .queue(.started):
            isQueueStarted = true
            isQueueStopped = false
        case .queue(.stopped): isQueueStopped = true
        case .queue(.callback(let session, .row(.removed))):
            stages[session] = nil
            removals += 1
        case .engine(.accepts(let session, _, _)) where session.facade == .queue:
            stages[session] = .waiting
        case .queue(.refused): refusals += 1
        case .queue(.callback(let session, .willActivate)): activated.insert(session)
        case .queue(.callback(let session, let callback)):
            if case .didDeactivate = callback { activated.remove(session) }
            owedSessions += app.additions(on: callback, of: before.own(session))
        case .engine(.found(let session, let stage)) where session.facade == .queue:
            stages[session] = stage
        case .engine(.moves(let session, _, let stage, _)) where session.facade == .queue:
            stages[session] = stage
        default: break
        }
    }

    /// A session that only the app can go on with: it holds its time in the background for that.
    var isLeftOpen: Bool {
        activated.contains { stages[$0] == .paused || items.isOpen($0) }
    }

    /// Every session of the plan has ended, and the app has been told of it; or the queue stands,
    /// or is blocked by a paused session or one that is open for paths, and only the app can change
    /// that.
    var isIdle: Bool {
        guard items.isIdle else { return false }
        guard hasQueue else { return true }
        guard isQueueStarted,
            stages.count + refusals + removals + lost >= plannedSessions + owedSessions
        else { return false }
        guard items.pathsAreIdle else { return false }
        if isLeftOpen { return true }
        return activated.isEmpty && (isQueueStopped || stages.values.allSatisfy(\.isTerminal))
    }
}
