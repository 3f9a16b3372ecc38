package import RunLog

/// S9: "Callbacks follow their façade's grammar and reach their owner; at most one terminal
/// callback per activation or task."
package struct CallbacksFollowGrammar: Check {
    private var watch = Watch()
    private var sessions: [ItemName: CallbackGrammar] = [:]
    private var persistent: Set<ItemName> = []
    private var tasks = TaskGrammar()
    private var operations = OperationGrammar()
    private var entries = EntryGrammar()
    private var appIsDead = false
    private var hasEvidence = false

    package init() {}

    package var rule: String { "S9" }
    package var statement: String {
        "callbacks follow the grammar of A1, A2, B2, K1, P2 and U3 and reach a living app; each "
            + "activation or task ends once"
    }

    package mutating func read(_ event: RunEvent) {
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
        case .daemon(.store(.failed, _)): tasks.storeRefuses(at: event.at)
        case .daemon(.store(.opened, _)): tasks.daemonBegins()
        case .queue(.callback(let session, let callback)):
            hasEvidence = true
            judge(session, telling: callback)
        case .background(let fact):
            guard reachesApp(fact.sentence) else { return }
            do throws(TaskGrammar.Slip) { try tasks.read(fact, at: event.at) } catch {
                watch.fall(expected: error.expected, seen: fact.sentence)
            }
        case .operations(let fact):
            guard reachesApp(fact.sentence) else { return }
            do throws(OperationGrammar.Slip) { try operations.read(fact) } catch {
                watch.fall(expected: error.expected, seen: fact.sentence)
            }
        case .entries(let fact):
            guard reachesApp(fact.sentence) else { return }
            do throws(EntryGrammar.Slip) { try entries.read(fact) } catch {
                watch.fall(expected: error.expected, seen: fact.sentence)
            }
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "there were no callbacks")
    }

    private mutating func reachesApp(_ sentence: String) -> Bool {
        hasEvidence = true
        guard appIsDead else { return true }
        watch.fall(expected: "no callback to an app that is dead", seen: sentence)
        return false
    }

    private mutating func judge(_ session: ItemName, telling callback: SessionCallback) {
        // Computed only for a breach, because nearly all callbacks are right.
        var seen: String { "\(session) \(callback.sentence)" }
        if appIsDead {
            return watch.fall(expected: "no callback to an app that is dead", seen: seen)
        }
        guard let grammar = sessions[session] else {
            return watch.fall(expected: "callbacks only for accepted sessions", seen: seen)
        }
        do throws(CallbackGrammar.Slip) {
            sessions[session] = try grammar.after(
                callback, isPersistent: persistent.contains(session))
        } catch {
            watch.fall(expected: "\(session): \(error.expected)", seen: seen)
        }
    }
}
