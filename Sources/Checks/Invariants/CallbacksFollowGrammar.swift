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
    private var appIsDead = false
    private var hasEvidence = false

    var rule: String { "S9" }
    var statement: String {
        "callbacks follow the grammar of A1, A2, B2, K1, P2 and U3 and reach a living app; each "
            + "activation or task ends once"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .engine(.accepts(let operation, _, _)) where operation.facade == .operations:
            operations.accepted(operation)
        case .engine(.accepts(let transfer, _, _)) where transfer.facade == .bucket:
            entries.accepted(transfer)
        case .engine(.accepts(let session, _, _)): sessions[session] = .idle
        case .engine(.isPersistent(let session)): persistent.insert(session)
        case .device(.appLaunched):
            appIsDead = false
            tasks.launched()
            operations.launched()
            entries.launched()
        case .device(.appDataCleared): entries.dataCleared()
        case .device(.appKilled(_, let why)):
            if why == .powerLoss { tasks.powerIsLost(at: event.at) }
            // A kill may cut the grammar anywhere (A1); the next launch begins again.
            appIsDead = true
            sessions = sessions.mapValues { _ in .idle }
        // The app may have ended a moment before its phone did.
        case .device(.power(.lost, _)): tasks.powerIsLost(at: event.at)
        case .daemon(.store(.failed, _)): tasks.storeRefuses(at: event.at)
        case .daemon(.store(.opened, _)): tasks.daemonBegins()
        case .queue(.callback), .background, .operations, .entries:
            hasEvidence = true
            do throws(NotAllowed) { try hear(event) } catch {
                watch.fall(expected: error.expected, seen: event.fact.sentence)
            }
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "there were no callbacks" }

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
