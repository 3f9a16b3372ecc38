import RunLog
import RunPlan

/// Knows from the app's events whether anything beside its queue is still to be done: an upload
/// operation, a resumable transfer, a path of a persistent session.
struct ItemWatch {
    private let app: AppPlan
    private let sessions: [PlannedSession]
    /// The items of other apps that are counted before its own.
    private var before: ItemCounts
    /// Operations and transfers that are under way; a suspended transfer waits for somebody.
    private var ongoing: Set<ItemName> = []
    /// Transfers that have an entry.
    private var listed: Set<ItemName> = []
    /// Transfers that the app has made in this launch, and can ask for again: refused ones, too.
    private var made: Set<ItemName> = []
    /// Items that the app begins, or goes on with, for what it has heard: its events have not said
    /// so yet.
    private var owed: Set<ItemName> = []
    /// Sessions that can accept paths.
    private var open: Set<ItemName> = []
    private var moving: Set<TransferName> = []
    /// Paths that the app adds for what it has heard: its events have not said so yet.
    private var owedPaths = 0

    init(_ app: AppPlan, _ sessions: [PlannedSession] = [], before: ItemCounts = ItemCounts()) {
        self.app = app
        self.sessions = sessions
        self.before = before
    }

    /// `launch` counts from the first on which the app found nothing of its own.
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
    }

    mutating func dataCleared(before: ItemCounts) {
        self.before = before
        listed = []
        appEnded()
    }

    /// No operation and no transfer is under way.
    var isIdle: Bool { ongoing.isEmpty && owed.isEmpty }

    var pathsAreIdle: Bool { moving.isEmpty && owedPaths == 0 }

    /// The session has its connection, and only its user can end it.
    func isOpen(_ session: ItemName) -> Bool { open.contains(session) }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .queue(.callback(let session, let callback)): hear(callback, of: session)
        case .queue(.pathAdded(_, let path)):
            moving.insert(path.transfer)
            owedPaths = max(0, owedPaths - 1)
        case .queue(.denied): owedPaths = max(0, owedPaths - 1)
        case .engine(.completes(let transfer)), .engine(.givesUp(let transfer, _)):
            moving.remove(transfer)
        case .engine(.accepts(let item, _, _)): accept(item)
        // Gone with a store that was damaged.
        case .store(.setAside(_, _, let kept, _)):
            let lost = listed.subtracting(kept)
            listed.subtract(lost)
            owed.subtract(lost)
        case .operations(.asked(let operation, .retry)): begin(operation)
        // It does not say which.
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

    // MARK: What the app hears

    private mutating func hear(_ callback: SessionCallback, of session: ItemName) {
        let own = before.own(session)
        switch callback {
        case .canAcceptPaths:
            open.insert(session)
            owe(app.commands(on: .canAcceptPaths(own)))
        case .didStopRunning: open.remove(session)
        case .didDeactivate(.completed): owe(app.commands(on: .completed(own)))
        case .didDeactivate(.failed): owe(app.commands(on: .failed(own)))
        default: break
        }
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
        case .queue, .background: break
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
            case .item, .start, .doNotStart, .stop, .save, .deleteAccount, .move, .change,
                .emptyLists:
                break
            }
        }
    }
}
