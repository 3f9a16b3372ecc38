package import RunLog
package import TransferClient

/// The behaviour of an app, besides adding its sessions and starting its queue at launch.
package struct AppPlan: Hashable, Sendable {
    package var rules: [Rule]
    /// What proves to the server who the app is; `nil` if it says nothing.
    package var signIn: Secret?
    /// Accounts with a name.
    package var accounts: [PlannedAccount] = []
    /// Sessions that the first launch saves or only makes, by their numbers in the plan.
    package var notEnqueued: [Int: PlannedSession.Beginning] = [:]
    package var manners = AppManners()
    /// Background tasks, in the order in which the first launch makes them, or later ones.
    package var tasks: [PlannedTask] = []
    /// How its background sessions are made, by identifier; others are made as usual.
    package var backgroundSessions: [String: PlannedBackgroundSession] = [:]
    /// Upload operations, in this order.
    package var operations: [PlannedOperation] = []
    /// Resumable transfers, in this order.
    package var transfers: [PlannedTransfer] = []

    package struct Rule: Hashable, Sendable {
        package var occasion: Occasion
        package var command: Command

        package init(_ occasion: Occasion, _ command: Command) {
            self.occasion = occasion
            self.command = command
        }
    }

    /// An event that the app is told of.
    package enum Occasion: Hashable, Sendable {
        /// Each launch, or the launch with this number.
        case launch(UInt32?)
        case completed(ItemName)
        case failed(ItemName)
        /// A persistent session can accept paths.
        case canAcceptPaths(ItemName)
        /// A session has stopped transferring the file or object of this name.
        case stoppedFile(String, of: ItemName)
        /// A resumable transfer is suspended, for whatever reason.
        case suspended(ItemName)
        /// A task has downloaded a file.
        case downloaded(ItemName)
        /// The system runs the app in the background for a session with events.
        case woken
        /// The store was damaged, so the app adds missing sessions again.
        case storeSetAside
        /// The system lets the app fetch in the background.
        case fetch
        /// The system has lost tasks of the app.
        case tasksLost
    }

    /// An action of the app. Sessions and other items have their numbers in the plan, from 1.
    package enum Command: Hashable, Sendable, Codable {
        case start
        /// Overrides the start of the queue at a launch.
        case doNotStart
        case stop
        case item(ItemStep, ItemName)
        /// Saves a session, so that the next launch finds it.
        case save(Int)
        /// Deletes the account with this name.
        case deleteAccount(String)
        case move(Int, toIndex: Int)
        /// Enqueues a session that is not in the queue before the one at this index.
        case insert(Int, atIndex: Int)
        case change(Int, SettingsChange)
        /// Takes the last file from a session that is not in the queue.
        case shorten(Int)
        /// Adds to a persistent session one of its paths in the plan, from 1, or all of them.
        case addPath(Int, path: Int?)
        /// Gives another password for the app, or for the account with this name.
        case signIn(account: String?, password: String)
        /// Ends a background session once its tasks have finished, or cancels them first.
        case invalidate(session: String, cancelling: Bool)
        /// Empties the lists of ended operations.
        case emptyLists
        /// Switches whether the app's queue asks for background time.
        case demarcate(Bool)
        /// Takes the app's delegates and observers away, or sets new ones.
        case listen(Bool)
    }

    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// The items that the timeline begins.
    var begunByHand: [ItemName] = []

    /// Returns the numbers of a façade's items that do not begin at the first launch.
    package func later(_ facade: Facade) -> [Int] {
        let begun = begunByHand + rules.compactMap(\.begun)
        let later = begun.filter { $0.facade == facade }.map { Int($0.number) }
        guard facade == .queue else { return later }
        return later.filter { notEnqueued[$0] == nil } + notEnqueued.keys.sorted()
    }

    /// Returns the numbers of all items of a façade.
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

    /// The files that the app uploads outside its queue.
    package var sources: [String] {
        operations.map(\.source) + tasks.compactMap(\.source)
            + transfers.filter { !$0.isDownload }.map(\.path)
    }

    /// Returns what the app does with a façade's items at a launch; the first launch begins items.
    package func steps(_ facade: Facade, onLaunch launch: UInt32) -> [Command] {
        let later = later(facade)
        let first = launch == 1 ? numbers(facade).filter { !later.contains($0) } : []
        let rules = (commands(on: .launch(nil)) + commands(on: .launch(launch))).filter {
            $0.facade == facade
        }
        return first.map { .item(.begin, ItemName(UInt64($0), of: facade)) } + rules
    }

    /// Returns what the app does at a launch before it uses any façade.
    func preparations(onLaunch launch: UInt32) -> [Command] {
        (commands(on: .launch(nil)) + commands(on: .launch(launch))).filter {
            $0.facade == nil && $0 != .start && $0 != .doNotStart
        }
    }

    /// Whether a launch starts the queue. A rule for this launch overrides a rule for all launches.
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

    /// The number of sessions that the app adds again after its store was damaged.
    package var additionsForSetAside: Int { commands(on: .storeSetAside).count }

    /// Returns the number of sessions that the app adds on an occasion.
    package func additions(on occasion: Occasion) -> Int {
        rules.count { $0.occasion == occasion && $0.begun?.facade == .queue }
    }
}

extension AppPlan.Rule {
    /// The item that begins by this rule, and not at the first launch. After damage to the store,
    /// the app only repeats items.
    fileprivate var begun: ItemName? {
        occasion == .storeSetAside ? nil : command.begun
    }
}

extension AppPlan.Command {
    /// The item that the command begins.
    package var begun: ItemName? {
        switch self {
        case .item(.begin, let item), .item(.beginUnlessListed, let item): item
        default: nil
        }
    }

    /// The façade of a command about an item or about all operations.
    fileprivate var facade: Facade? {
        switch self {
        case .item(_, let item): item.facade
        case .emptyLists: .operations
        case .invalidate: .background
        case .start, .doNotStart, .stop, .save, .deleteAccount, .move, .insert, .change, .shorten,
            .addPath, .listen, .signIn, .demarcate:
            nil
        }
    }
}

extension AppPlan.Occasion {
    package init?(_ callback: SessionCallback, of session: ItemName) {
        switch callback {
        case .didDeactivate(.completed): self = .completed(session)
        case .didDeactivate(.failed): self = .failed(session)
        case .canAcceptPaths: self = .canAcceptPaths(session)
        case .didStopFile(let name): self = .stoppedFile(name, of: session)
        default: return nil
        }
    }
}
