import RunLog

/// S9: "Callbacks follow their façade's grammar and reach their owner; at most one terminal
/// callback per activation or task."
struct CallbacksFollowGrammar: Invariant {
    private(set) var watch = Watch()
    private var sessions: [ItemName: CallbackGrammar] = [:]
    private var persistent: Set<ItemName> = []
    private var tasks = TaskGrammar()
    private var operations = OperationGrammar()
    private var entries = EntryGrammar()
    private var lists = ShownLists()
    private var rows = ShownSessions()
    private var answers = AnsweredRequests()
    private var acceptance = AcceptedFirst()
    private var appIsDead = false
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// Tasks that the app has made and that have not completed.
    private var openTasks: Set<ItemName> = []
    private var hasSeveralApps = false

    var rule: String { "S9" }
    var statement: String {
        "callbacks follow the grammar of A1, A2, B2, K1, P2 and U3 and reach a living app; each "
            + "activation or task ends once; an app's lists show what it was told"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch acceptance.read(event) {
        case nil: break
        case .held?: evidence.decides(.accepted)
        case .slip(let slip)?: watch.fall(slip)
        }
        do throws(Slip) { try answers.read(event) } catch { watch.fall(error) }
        do throws(NotAllowed) {
            try lists.read(event)
            try rows.read(event)
        } catch {
            watch.fall(expected: error.expected, seen: event.fact.sentence)
        }
        switch event.fact {
        case .run(.began(let beginning)): hasSeveralApps = beginning.apps ?? 1 > 1
        case .engine(.accepts(let task, _, _)) where task.facade == .background:
            openTasks.insert(task)
            tasks.accepted(task)
        // A task may end before its system has kept it.
        case .engine(.moves(let task, _, _, _)) where task.facade == .background:
            tasks.accepted(task)
        case .engine(.accepts(let operation, _, _)) where operation.facade == .operations:
            operations.accepted(operation)
        case .engine(.accepts(let transfer, _, _)) where transfer.facade == .bucket:
            entries.accepted(transfer)
        case .engine(.accepts(let session, _, _)): sessions[session] = .idle
        case .engine(.isPersistent(let session)): persistent.insert(session)
        case .device(.appLaunched):
            appIsDead = false
            evidence.decides(.toldOnce, if: tasks.hasCompletedTasks)
            tasks.launched()
            operations.launched()
            entries.launched()
        case .device(.appDataCleared): entries.dataCleared()
        case .device(.appKilled(_, let why)):
            if why == .powerLoss { tasks.powerIsLost(at: event.at) }
            evidence.decides(.noneToTheDead, if: isAtWork)
            // A kill may cut the grammar anywhere (A1); the next launch begins again.
            appIsDead = true
            sessions = sessions.mapValues { _ in .idle }
        // The app may have ended a moment before its phone did.
        case .device(.power(.lost, _)): tasks.powerIsLost(at: event.at)
        case .daemon(.store(.failed, _)): tasks.storeRefuses(at: event.at)
        case .daemon(.store(.opened, _)):
            evidence.decides(.toldOnce, if: tasks.hasCompletedTasks)
            tasks.daemonBegins()
        case .queue(.callback), .background, .operations, .entries:
            hasEvidence = true
            weigh(event)
            do throws(NotAllowed) { try hear(event) } catch {
                watch.fall(expected: error.expected, seen: event.fact.sentence)
            }
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "there were no callbacks" }

    var clauses: [DecidedClause] {
        evidence.all + lists.evidence.all + rows.evidence.all + answers.evidence.all
    }

    /// Whether a callback could be on its way to the app.
    private var isAtWork: Bool {
        // any order: whether there is one
        !openTasks.isEmpty || sessions.contains { $0.value != .idle }
    }

    /// Counts a callback for which a careless façade would have sent another one.
    private mutating func weigh(_ event: RunEvent) {
        if let item = event.fact.itemToldToEnd {
            evidence.decides(.owner, if: hasSeveralApps)
            openTasks.remove(item)
        }
        switch event.fact {
        case .queue(.callback(_, .didDeactivate(let outcome))):
            evidence.decides(.interrupted, if: outcome != .completed)
        case .queue(.callback(let session, .didStopRunning)):
            evidence.decides(.notConnected, if: sessions[session] == .starting)
        case .queue(.callback(let session, .didStartFile)):
            guard case .running(let attempt) = sessions[session] else { return }
            evidence.decides(.interleaved, if: !attempt.open.isEmpty)
        case .operations(.asked(_, .retry)): evidence.decides(.operations)
        case .operations(.callback(_, .failed)): evidence.decides(.operations)
        case .entries(.asked(_, .transfer)), .entries(.callback(_, .ended)):
            evidence.decides(.transfers)
        case .background(.callback(_, .didComplete(.failed, _))): evidence.decides(.tasks)
        case .background(.callback(_, .didFinishDownloading)): evidence.decides(.tasks)
        case .background(.didFinishEvents), .background(.handlerCalled):
            evidence.decides(.events)
        default: break
        }
    }

    private mutating func hear(_ event: RunEvent) throws(NotAllowed) {
        guard !appIsDead else {
            throw NotAllowed(expected: "no callback to an app that is dead")
        }
        switch event.fact {
        case .queue(.callback(let session, let callback)): try hear(callback, of: session)
        case .background(let fact): try tasks.read(fact, at: event.at)
        case .operations(let fact): try operations.read(fact)
        case .entries(let fact): try entries.read(fact)
        default: break
        }
    }

    private mutating func hear(
        _ callback: SessionCallback, of session: ItemName
    ) throws(NotAllowed) {
        guard let grammar = sessions[session] else {
            throw NotAllowed(expected: "callbacks only for accepted sessions")
        }
        do throws(NotAllowed) {
            sessions[session] = try grammar.after(
                callback, isPersistent: persistent.contains(session))
        } catch {
            throw NotAllowed(expected: "\(session): \(error.expected)")
        }
    }
}

extension CallbacksFollowGrammar {
    enum Clause: String, ClauseName {
        /// Decided by an activation that ends otherwise than completed, which takes the grammar's
        /// rarer ways.
        case interrupted = "interrupted activation"
        /// Decided by an attempt that fails before it is connected.
        case notConnected = "not connected"
        /// Decided by an attempt whose credential the server refuses.
        case accepted = "accepted first"
        /// Decided by a file that starts while another one is under way.
        case interleaved = "interleaved files"
        /// Decided by each failure and each retry of an operation.
        case operations = "operations that fail"
        /// Decided by each resume and each end with an error of a resumable transfer.
        case transfers = "transfers that are suspended"
        /// Decided by a task that fails and by each finished download: a late progress callback
        /// would come after it.
        case tasks = "tasks that end"
        /// Decided when the events of a session end, and when the app calls the handler.
        case events = "events of a session"
        /// Decided by a launch, or a start of the daemon, after some tasks' ends were told: a
        /// forgotten confirmation tells them again.
        case toldOnce = "told once"
        /// Decided by a kill while a session is active or a task is open.
        case noneToTheDead = "none to the dead"
        /// Decided by each end that is told while there are several apps.
        case owner

        var sentence: String {
            switch self {
            case .interrupted: "an interrupted activation closes all that it has opened (A1)"
            case .notConnected: "an attempt without a connection never starts running (A2)"
            case .accepted: "a session starts running after the server has accepted it (A2)"
            case .interleaved: "only a persistent session's files interleave (P2)"
            case .operations: "an operation's callbacks begin again after a retry (U3)"
            case .transfers: "a resumable transfer's callbacks begin again after a suspension (K1)"
            case .tasks: "a task's didComplete comes last, after a download's file (B2)"
            case .events: "a session's events end once, and its handler is called after that (B2)"
            case .toldOnce: "a task's end is told once, whatever is restarted"
            case .noneToTheDead: "no callback reaches a dead app"
            case .owner: "callbacks reach the app that owns the item"
            }
        }
    }
}
