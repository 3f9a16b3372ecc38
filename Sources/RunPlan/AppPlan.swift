package import RunLog

/// What the app does of its own, beside adding its sessions and starting its queue at launch.
package struct AppPlan: Hashable, Sendable {
    package var rules: [Rule]
    /// Those that have a name.
    package var accounts: [PlannedAccount] = []
    /// Sessions that its first launch saves, or only makes, by their numbers in the plan.
    package var notEnqueued: [Int: PlannedSession.Beginning] = [:]
    package var manners = AppManners()
    /// What it makes: at its first launch, in this order, or later.
    package var tasks: [PlannedTask] = []
    /// The same of its upload operations.
    package var operations: [PlannedOperation] = []
    /// And of its resumable transfers.
    package var transfers: [PlannedTransfer] = []

    package struct Rule: Hashable, Sendable {
        package var occasion: Occasion
        package var command: Command

        package init(_ occasion: Occasion, _ command: Command) {
            self.occasion = occasion
            self.command = command
        }
    }

    /// What the app is told.
    package enum Occasion: Hashable, Sendable {
        /// Of each launch, or of the one with this number.
        case launch(UInt32?)
        case completed(ItemName)
        case failed(ItemName)
        /// A persistent session has said that it can.
        case canAcceptPaths(ItemName)
        /// A resumable transfer has come to rest, whoever wanted that.
        case suspended(ItemName)
        /// What a task has brought is in a file.
        case downloaded(ItemName)
        /// The system runs it in the background, as something waits there for a session.
        case woken
        /// Its store was damaged: what it misses it adds again.
        case storeSetAside
        /// The system has lost tasks of its own.
        case tasksLost
    }

    package enum Command: Hashable, Sendable, Codable {
        case start
        /// At a launch, where starting is usual.
        case doNotStart
        case stop
        /// Items have the numbers that they have in the plan, counted from 1.
        case item(ItemStep, ItemName)
        /// A session is kept by hand, so that it is there at the next launch.
        case save(Int)
        /// By its name.
        case deleteAccount(String)
        case move(Int, toIndex: Int)
        /// Of its settings.
        case change(Int, SettingsChange)
        /// To a persistent session: one of the paths that it has in the plan, counted from 1, or
        /// all of them.
        case addPath(Int, path: Int?)
        /// Of the lists of operations that have ended.
        case emptyLists
    }

    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// The items that its user has it begin, in the timeline.
    var begunByHand: [ItemName] = []

    /// The items of a façade that are not begun at the first launch, by their numbers in the plan.
    package func later(_ facade: Facade) -> [Int] {
        let begun = begunByHand + rules.compactMap(\.begun)
        let later = begun.filter { $0.facade == facade }.map { Int($0.number) }
        guard facade == .queue else { return later }
        return later.filter { notEnqueued[$0] == nil } + notEnqueued.keys.sorted()
    }

    /// The numbers in the plan of all items of a façade.
    package func numbers(_ facade: Facade) -> [Int] {
        let count =
            switch facade {
            case .queue: preconditionFailure("an app's sessions are beside its plan")
            case .operations: operations.count
            case .background: tasks.count
            case .bucket: transfers.count
            }
        return Array(0..<count).map { $0 + 1 }
    }

    /// What it does with items of a façade at a launch; the first launch begins those of the plan.
    package func steps(_ facade: Facade, onLaunch launch: UInt32) -> [Command] {
        let later = later(facade)
        let first = launch == 1 ? numbers(facade).filter { !later.contains($0) } : []
        let rules = (commands(on: .launch(nil)) + commands(on: .launch(launch))).filter {
            $0.facade == facade
        }
        return first.map { .item(.begin, ItemName(UInt64($0), of: facade)) } + rules
    }

    /// What is said of one launch counts more than what is said of all.
    func starts(onLaunch launch: UInt32) -> Bool {
        let choices = rules.filter { $0.command == .start || $0.command == .doNotStart }
        let choice =
            choices.last { $0.occasion == .launch(launch) }
            ?? choices.last { $0.occasion == .launch(nil) }
        return choice?.command != .doNotStart
    }

    package func commands(on occasion: Occasion) -> [Command] {
        rules.filter { $0.occasion == occasion }.map(\.command)
    }

    /// How many sessions the app adds again as it hears that its store was damaged.
    package var additionsForSetAside: Int { commands(on: .storeSetAside).count }

    /// How many sessions the app adds as it hears of this.
    package func additions(on occasion: Occasion) -> Int {
        rules.count { $0.occasion == occasion && $0.begun?.facade == .queue }
    }
}

extension AppPlan.Rule {
    /// The item that the first launch leaves out for it; what is added again has been there.
    fileprivate var begun: ItemName? {
        occasion == .storeSetAside ? nil : command.begun
    }
}

extension AppPlan.Command {
    /// The item that comes into the world by it.
    package var begun: ItemName? {
        if case .item(.begin, let item) = self { item } else { nil }
    }

    /// Whose API it is of, if it is of an item's or of the operations'.
    fileprivate var facade: Facade? {
        switch self {
        case .item(_, let item): item.facade
        case .emptyLists: .operations
        case .start, .doNotStart, .stop, .save, .deleteAccount, .move, .change, .addPath: nil
        }
    }
}

extension AppPlan.Occasion {
    package init?(_ callback: SessionCallback, of session: ItemName) {
        switch callback {
        case .didDeactivate(.completed): self = .completed(session)
        case .didDeactivate(.failed): self = .failed(session)
        case .canAcceptPaths: self = .canAcceptPaths(session)
        default: return nil
        }
    }
}
