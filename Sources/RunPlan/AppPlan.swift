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

    package enum Command: Hashable, Sendable {
        case start
        /// At a launch, where starting is usual.
        case doNotStart
        case stop
        /// The session with this number in the plan, counted from 1.
        case enqueue(Int)
        /// By hand, so that it is there at the next launch.
        case save(Int)
        /// By its name.
        case deleteAccount(String)
        case session(SessionWish, Int)
        case move(Int, toIndex: Int)
        /// Of its settings.
        case change(Int, SettingsChange)
        /// To a persistent session: one of the paths that it has in the plan, counted from 1, or
        /// all of them.
        case addPath(Int, path: Int?)
        /// The same of a task.
        case task(TaskStep, Int)
        /// The same of an upload operation.
        case operation(OperationStep, Int)
        /// Of the lists of operations that have ended.
        case emptyLists
        /// The same of a resumable transfer.
        case transfer(TransferStep, Int)
    }

    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// The sessions that are not added at the first launch, by their numbers in the plan.
    package var addedLater: [Int] {
        rules.compactMap(\.added).filter { notEnqueued[$0] == nil } + notEnqueued.keys.sorted()
    }

    /// The tasks that its user has it make, in the timeline.
    var madeByHand: [Int] = []

    /// The tasks that are not made at the first launch, by their numbers in the plan.
    package var madeLater: [Int] {
        madeByHand
            + rules.compactMap { rule in
                if case .task(.made, let number) = rule.command { number } else { nil }
            }
    }

    /// The operations that its user has it add, in the timeline.
    var addedByHand: [Int] = []

    /// The operations that are not added at the first launch, by their numbers in the plan.
    package var operationsLater: [Int] {
        addedByHand
            + rules.compactMap { rule in
                if case .operation(.added, let number) = rule.command { number } else { nil }
            }
    }

    /// The transfers that its user has it start, in the timeline.
    var startedByHand: [Int] = []

    /// The transfers that are not started at the first launch, by their numbers in the plan.
    package var transfersLater: [Int] {
        startedByHand
            + rules.compactMap { rule in
                if case .transfer(.started, let number) = rule.command { number } else { nil }
            }
    }

    /// What it does to its resumable transfers at a launch; the first one starts those of the plan.
    package func stepsOnTransfers(onLaunch launch: UInt32) -> [Command] {
        let later = transfersLater
        let first = (launch == 1 ? Array(transfers.indices) : []).map { $0 + 1 }
        let rules = (commands(on: .launch(nil)) + commands(on: .launch(launch))).filter {
            if case .transfer = $0 { true } else { false }
        }
        return first.filter { !later.contains($0) }.map { .transfer(.started, $0) } + rules
    }

    /// What it does to its tasks at a launch, as soon as it has its sessions.
    func stepsOnTasks(onLaunch launch: UInt32) -> [Command] {
        (commands(on: .launch(nil)) + commands(on: .launch(launch))).filter {
            if case .task = $0 { true } else { false }
        }
    }

    /// The same of its upload operations, at once; the first launch begins those of the plan.
    package func stepsOnOperations(onLaunch launch: UInt32) -> [Command] {
        let later = operationsLater
        let first = (launch == 1 ? Array(operations.indices) : []).map { $0 + 1 }
        let rules = (commands(on: .launch(nil)) + commands(on: .launch(launch))).filter {
            switch $0 {
            case .operation, .emptyLists: true
            case .task, .transfer, .start, .doNotStart, .stop, .enqueue, .save, .session, .move,
                .change, .addPath, .deleteAccount:
                false
            }
        }
        return first.filter { !later.contains($0) }.map { .operation(.added, $0) } + rules
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
    package func additions(on callback: SessionCallback, of session: ItemName) -> Int {
        guard let occasion = Occasion(callback, of: session) else { return 0 }
        return rules.count { $0.occasion == occasion && $0.added != nil }
    }
}

extension AppPlan.Rule {
    /// Where the first launch leaves it out; what is added again has been there.
    fileprivate var added: Int? {
        guard occasion != .storeSetAside, case .enqueue(let number) = command else { return nil }
        return number
    }
}

extension AppPlan.Occasion {
    fileprivate init?(_ callback: SessionCallback, of session: ItemName) {
        switch callback {
        case .didDeactivate(.completed): self = .completed(session)
        case .didDeactivate(.failed): self = .failed(session)
        case .canAcceptPaths: self = .canAcceptPaths(session)
        default: return nil
        }
    }
}
