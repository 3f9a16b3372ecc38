/// Gives the names in a fact other numbers: each engine counts its own, and a run has several.
package protocol Renaming {
    mutating func callAsFunction(_ item: ItemName) -> ItemName
    mutating func callAsFunction(_ transfer: TransferName) -> TransferName
    mutating func callAsFunction(_ connection: ConnectionName) -> ConnectionName
}

extension Renaming {
    fileprivate mutating func callAsFunction(_ items: [ItemName]) -> [ItemName] {
        items.map { self($0) }
    }

    fileprivate mutating func callAsFunction(_ accepted: AcceptedTransfer) -> AcceptedTransfer {
        var accepted = accepted
        accepted.transfer = self(accepted.transfer)
        return accepted
    }

    fileprivate mutating func callAsFunction(
        _ accepted: [AcceptedTransfer]
    ) -> [AcceptedTransfer] {
        accepted.map { self($0) }
    }
}

extension Fact {
    /// The fact with other names; only what an engine or a daemon says has any.
    package func renamed(_ new: inout some Renaming) -> Fact {
        switch self {
        case .queue(let fact): .queue(fact.renamed(&new))
        case .operations(let fact): .operations(fact.renamed(&new))
        case .entries(let fact): .entries(fact.renamed(&new))
        case .background(let fact): .background(fact.renamed(&new))
        case .engine(let fact): .engine(fact.renamed(&new))
        case .connection(let fact): .connection(fact.renamed(&new))
        case .store(.setAside(let name, let reason, let kept, let lost)):
            .store(.setAside(as: name, because: reason, kept: new(kept), lost: new(lost)))
        case .run, .file, .link, .device, .network, .daemon, .store, .server, .packets: self
        }
    }
}

extension EngineFact {
    fileprivate func renamed(_ new: inout some Renaming) -> EngineFact {
        switch self {
        case .accepts(let item, let index, let files):
            .accepts(new(item), index: index, new(files))
        case .isLimited(let item, let limits): .isLimited(new(item), limits)
        case .isPersistent(let item): .isPersistent(new(item))
        case .goesBy(let item, let settings): .goesBy(new(item), settings)
        case .moves(let item, let from, let to, let because):
            .moves(new(item), from: from, to: to, because: because)
        case .found(let item, let stage): .found(new(item), stage)
        case .attempt(let item, let number): .attempt(new(item), number: number)
        case .inspected(let transfer, let size, let modified):
            .inspected(new(transfer), size: size, modified: modified)
        case .resumes(let transfer, let resource, let offset):
            .resumes(new(transfer), resource: resource, at: offset)
        case .isUnproven(let transfer, let spot): .isUnproven(new(transfer), because: spot)
        case .keepsTarget(let transfer, let why): .keepsTarget(new(transfer), because: why)
        case .startsOver(let transfer, let because): .startsOver(new(transfer), because: because)
        case .sends(let transfer, let resource, let from, let connection, let bodyAt):
            .sends(
                new(transfer), resource: resource, from: from, on: new(connection), bodyAt: bodyAt)
        case .completes(let transfer): .completes(new(transfer))
        case .givesUp(let transfer, let because): .givesUp(new(transfer), because: because)
        case .waitsForNetwork(let item, let because): .waitsForNetwork(new(item), because: because)
        case .delays(let item, let delay): .delays(new(item), by: delay)
        case .fails(let item, let code, let message, let pause):
            .fails(new(item), code: code, message: message, retryIn: pause)
        case .token(let item, let step): .token(new(item), step)
        }
    }
}

extension QueueFact {
    fileprivate func renamed(_ new: inout some Renaming) -> QueueFact {
        switch self {
        case .asked(let session, let wish): .asked(new(session), wish)
        case .reordered(let session, let from, let to):
            .reordered(new(session), from: from, to: to)
        case .pathAdded(let session, let path): .pathAdded(new(session), new(path))
        case .callback(let session, let callback): .callback(new(session), callback)
        case .saved(let fact): .saved(fact.renamed(&new))
        case .started, .stopped, .refused, .denied, .storeWasSetAside: self
        }
    }
}

extension SavedFact {
    fileprivate func renamed(_ new: inout some Renaming) -> SavedFact {
        switch self {
        case .belongs(let session, let account): .belongs(new(session), to: account)
        case .session(let session, let account, let files):
            .session(new(session), of: account, new(files))
        case .sessionDeleted(let session): .sessionDeleted(new(session))
        case .holds(let accounts, let sessions): .holds(accounts: accounts, sessions: new(sessions))
        case .account, .accountDeleted: self
        }
    }
}

extension OperationFact {
    fileprivate func renamed(_ new: inout some Renaming) -> OperationFact {
        switch self {
        case .asked(let operation, let wish): .asked(new(operation), wish)
        case .callback(let operation, let callback): .callback(new(operation), callback)
        case .unlisted(let operation): .unlisted(new(operation))
        case .refused, .flushed: self
        }
    }
}

extension EntryFact {
    fileprivate func renamed(_ new: inout some Renaming) -> EntryFact {
        switch self {
        case .refused(let entry, let code, let reason):
            .refused(new(entry), code: code, reason: reason)
        case .asked(let entry, let wish): .asked(new(entry), wish)
        case .callback(let entry, let callback): .callback(new(entry), callback)
        case .held(let entries): .held(new(entries))
        }
    }
}

extension BackgroundFact {
    fileprivate func renamed(_ new: inout some Renaming) -> BackgroundFact {
        switch self {
        case .callback(let task, let callback): .callback(new(task), callback)
        case .tasksWereLost(let tasks): .tasksWereLost(new(tasks))
        case .refused, .woken, .handleEvents, .didFinishEvents, .handlerCalled: self
        }
    }
}

extension ConnectionFact {
    fileprivate func renamed(_ new: inout some Renaming) -> ConnectionFact {
        switch self {
        case .opening(let connection, let peer, let item):
            .opening(new(connection), to: peer, by: item.map { new($0) })
        case .securing(let connection, let security): .securing(new(connection), with: security)
        case .bound(let connection, let interface): .bound(new(connection), interface: interface)
        case .established(let connection): .established(new(connection))
        case .request(let connection, let method, let target):
            .request(new(connection), method: method, target: target)
        case .response(let connection, let status, let retryAfter):
            .response(new(connection), status: status, retryAfter: retryAfter)
        case .ended(let connection, let why, let transmitted):
            .ended(new(connection), why: why, transmitted: transmitted)
        }
    }
}
