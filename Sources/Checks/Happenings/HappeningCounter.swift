import RunLog

/// Counts how often something happens in a log.
struct HappeningCounter: Sendable {
    let happening: Happening
    private(set) var count = 0
    private(set) var isAccepted = false
    private var transfers: Set<TransferName> = []
    /// The number of each session's last attempt. An attempt that was interrupted, and goes on, has
    /// its number again.
    private var attempts: [ItemName: Int] = [:]
    /// Names of saved accounts, by app and number.
    private var accounts: [[UInt64]: String] = [:]
    /// The object of each unfinished upload, to find races.
    private var objects: [ResourceName: String] = [:]

    init(_ happening: Happening) { self.happening = happening }

    /// Reads an event; returns whether it counts.
    mutating func read(_ event: RunEvent) -> Bool {
        follow(event)
        guard happens(at: event) else { return false }
        count += 1
        return true
    }

    private mutating func follow(_ event: RunEvent) {
        switch event.fact {
        case .engine(.accepts(let session, _, _)) where concerns(session): isAccepted = true
        case .queue(.pathAdded(let session, _)) where concerns(session): break
        default: return
        }
        transfers.formUnion(event.fact.acceptedTransfers.map(\.transfer))
    }

    private mutating func happens(at event: RunEvent) -> Bool {
        switch event.fact {
        case .engine(.attempt(let session, let number)): isRetry(number, of: session)
        case .engine(let fact): happens(in: fact)
        case .queue(.saved(let fact)): happens(in: fact, of: event.app)
        case .queue(let fact): happens(in: fact)
        case .connection(.opening(_, _, let session?)):
            if case .connection = happening { concerns(session) } else { false }
        case .connection(.response(_, let status, _)): happening == .answer(status)
        case .connection(.request(_, let method, _)): happening == .request(method)
        case .server(let fact): happens(in: fact)
        case .device(.appEntered(_, .suspended, _)): happening == .suspension
        case .device(.appKilled): happening == .kill
        case .entries(.callback(let transfer, .suspended(let code, _))):
            happening == .rest(transfer, code: code)
        case .entries(.refused(let transfer, let code?, _)):
            happening == .transferRefusal(transfer, code: code)
        case .background(.refused): happening == .taskRefusal
        case .operations(.refused): happening == .operationRefusal
        case .file(.moved(_, let path, _)): happening == .keeping(path)
        case .device(.fetchEnded): happening == .fetch
        case .file(.downloaded(_, let object, _)): happening == .download(object)
        case .background(.callback(let task, .didComplete(_, canResume: true))):
            if case .putOff = happening { concerns(task) } else { false }
        case .background(.didBecomeInvalid(let session)):
            happening == .invalidation(session: session)
        case .background(.woken): happening == .waking
        case .background(.tasksWereLost): happening == .taskLoss
        case .network(.nameAsked): happening == .nameQuestion
        default: false
        }
    }

    private func happens(in fact: EngineFact) -> Bool {
        switch (fact, happening) {
        case (.resumes(let transfer, _, _), .resume), (.startsOver(let transfer, _), .startOver),
            (.keepsTarget(let transfer, _), .skip),
            (.isUnproven(let transfer, _), .unprovenResume):
            transfers.contains(transfer)
        case (.fallsBack(let session, _), .fallback): concerns(session)
        case (.givesUp(let transfer, _), .givingUp): transfers.contains(transfer)
        case (.token(let item, .refreshEnded(isNew: true)), .tokenRefresh): concerns(item)
        case (.moves(let session, let from, let to, _), _):
            concerns(session) && isMove(from: from, to: to)
        default: false
        }
    }

    private mutating func isRetry(_ number: Int, of session: ItemName) -> Bool {
        guard case .retry = happening, concerns(session) else { return false }
        let isNew = attempts.updateValue(number, forKey: session) != number
        return isNew && number > 1
    }

    private func isMove(from: ItemStage, to: ItemStage) -> Bool {
        switch happening {
        case .failure: to == .failed
        case .cancel: to == .cancelled
        // A preempted session that comes back may have been paused before.
        case .pause: to == .paused && (from == .running || from == .retrying)
        case .preemption: to == .preempted || to == .preemptedPaused
        default: false
        }
    }

    private func happens(in fact: QueueFact) -> Bool {
        switch (fact, happening) {
        case (.callback(let session, .didDeactivate(.stopped(by: .expiry))), .stopByExpiry),
            (.callback(let session, .row(.removed)), .removal):
            concerns(session)
        case (.callback(let session, let callback), .callback(_, let name)):
            concerns(session) && CallbackName(callback) == name
        case (.refused, .refusal), (.denied, .refusal), (.storeWasSetAside, .settingAside): true
        default: false
        }
    }

    private mutating func happens(in fact: SavedFact, of app: UInt16?) -> Bool {
        switch fact {
        case .account(let account, let saved):
            accounts[[UInt64(app ?? 1), account.number]] = saved.name
            return happening == .accountSaving(saved.name)
        case .accountDeleted(let account):
            let name = accounts[[UInt64(app ?? 1), account.number]]
            return name.map { happening == .accountDeletion($0) } ?? false
        case .session(let session, _, _):
            guard case .saving = happening else { return false }
            return concerns(session)
        case .belongs, .sessionDeleted, .holds: return false
        }
    }

    private mutating func happens(in fact: ServerFact) -> Bool {
        switch happening {
        case .publication(let object):
            if case .published(_, object, _, _) = fact { true } else { false }
        case .faultEffect(let name): fact.faultInEffect == name
        case .tokenIssue:
            if case .tokenIssued = fact { true } else { false }
        case .race: races(at: fact)
        default: false
        }
    }

    private mutating func races(at fact: ServerFact) -> Bool {
        switch fact {
        case .created(let resource, let object, _):
            // any order: whether there is one
            let isRace = objects.values.contains(object)
            objects[resource] = object
            return isRace
        case .published(let resource, _, _, _), .discarded(let resource, _):
            objects[resource] = nil
            return false
        default: return false
        }
    }

    private func concerns(_ session: ItemName) -> Bool {
        happening.subject?.includes(session) ?? true
    }
}
