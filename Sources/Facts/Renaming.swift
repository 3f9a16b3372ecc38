/// Renumbers the names in a fact, because each engine of a run counts its own items.
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
    /// Returns the fact with other names; only facts of engines and daemons have names.
    package func renamed(_ new: inout some Renaming) -> Fact {
        switch self {
        case .queue(let fact): .queue(new(fact))
        case .operations(let fact): .operations(new(fact))
        case .entries(let fact): .entries(new(fact))
        case .background(let fact): .background(new(fact))
        case .shown(let fact): .shown(new(fact))
        case .engine(let fact): .engine(new(fact))
        case .connection(let fact): .connection(new(fact))
        case .store(.setAside(let name, let reason, let kept, let lost)):
            .store(.setAside(as: name, because: reason, kept: new(kept), lost: new(lost)))
        case .run, .file, .link, .device, .network, .daemon, .store, .server, .packets: self
        }
    }
}

extension Renaming {
    fileprivate mutating func callAsFunction(_ fact: EngineFact) -> EngineFact {
        switch fact {
        case .accepts(let item, let index, let files):
            .accepts(self(item), index: index, self(files))
        case .isLimited(let item, let limits): .isLimited(self(item), limits)
        case .isPersistent(let item): .isPersistent(self(item))
        case .goesBy(let item, let settings): .goesBy(self(item), settings)
        case .moves(let item, let from, let to, let because):
            .moves(self(item), from: from, to: to, because: because)
        case .found(let item, let stage): .found(self(item), stage)
        case .attempt(let item, let number): .attempt(self(item), number: number)
        case .inspected(let transfer, let size, let modified):
            .inspected(self(transfer), size: size, modified: modified)
        case .resumes(let transfer, let resource, let offset):
            .resumes(self(transfer), resource: resource, at: offset)
        case .isUnproven(let transfer, let spot): .isUnproven(self(transfer), because: spot)
        case .asksForOther(let transfer): .asksForOther(self(transfer))
        case .keepsTarget(let transfer, let why): .keepsTarget(self(transfer), because: why)
        case .startsOver(let transfer, let because): .startsOver(self(transfer), because: because)
        case .sends(let transfer, let resource, let from, let connection, let bodyAt):
            .sends(
                self(transfer), resource: resource, from: from, on: self(connection),
                bodyAt: bodyAt)
        case .completes(let transfer): .completes(self(transfer))
        case .givesUp(let transfer, let because): .givesUp(self(transfer), because: because)
        case .waitsForNetwork(let item, let because): .waitsForNetwork(self(item), because: because)
        case .delays(let item, let delay): .delays(self(item), by: delay)
        case .hasMoved(let item, let done, let total):
            .hasMoved(self(item), done: done, total: total)
        case .fails(let item, let code, let message, let pause):
            .fails(self(item), code: code, message: message, retryIn: pause)
        case .token(let item, let step): .token(self(item), step)
        case .waitsForCredential(let item): .waitsForCredential(self(item))
        case .fallsBack(let item, let because): .fallsBack(self(item), because: because)
        case .credential: fact
        }
    }

    fileprivate mutating func callAsFunction(_ fact: QueueFact) -> QueueFact {
        switch fact {
        case .asked(let session, let wish): .asked(self(session), wish)
        case .reordered(let session, let from, let to):
            .reordered(self(session), from: from, to: to)
        case .pathAdded(let session, let path): .pathAdded(self(session), self(path))
        case .callback(let session, let callback): .callback(self(session), callback)
        case .saved(let fact): .saved(self(fact))
        case .holds(let sessions): .holds(self(sessions))
        case .answered(let request, .session(let session)):
            .answered(request: request, .session(self(session)))
        case .started, .stopped, .refused, .denied, .storeWasSetAside, .demarcates, .requested,
            .answered:
            fact
        }
    }

    fileprivate mutating func callAsFunction(_ fact: SavedFact) -> SavedFact {
        switch fact {
        case .belongs(let session, let account): .belongs(self(session), to: account)
        case .session(let session, let account, let files):
            .session(self(session), of: account, self(files))
        case .sessionDeleted(let session): .sessionDeleted(self(session))
        case .holds(let accounts, let sessions):
            .holds(accounts: accounts, sessions: self(sessions))
        case .account, .accountDeleted: fact
        }
    }

    fileprivate mutating func callAsFunction(_ fact: OperationFact) -> OperationFact {
        switch fact {
        case .asked(let operation, let wish): .asked(self(operation), wish)
        case .callback(let operation, let callback): .callback(self(operation), callback)
        case .refused, .flushed: fact
        }
    }

    fileprivate mutating func callAsFunction(_ fact: EntryFact) -> EntryFact {
        switch fact {
        case .refused(let entry, let code, let reason):
            .refused(self(entry), code: code, reason: reason)
        case .asked(let entry, let wish): .asked(self(entry), wish)
        case .callback(let entry, let callback): .callback(self(entry), callback)
        case .held(let entries): .held(self(entries))
        }
    }

    fileprivate mutating func callAsFunction(_ fact: BackgroundFact) -> BackgroundFact {
        switch fact {
        case .callback(let task, let callback): .callback(self(task), callback)
        case .tasksWereLost(let tasks): .tasksWereLost(self(tasks))
        case .listed(let session, let tasks):
            .listed(session: session, self(tasks))
        case .refused, .woken, .handleEvents, .didFinishEvents, .handlerCalled, .didBecomeInvalid:
            fact
        }
    }

    fileprivate mutating func callAsFunction(_ fact: ShownFact) -> ShownFact {
        switch fact {
        case .queue(let sessions, let saved, let accounts, let runs):
            .queue(
                sessions.map {
                    var shown = $0
                    shown.session = self(shown.session)
                    return shown
                },
                saved: self(saved), accounts: accounts, runs: runs)
        case .operations(let ongoing, let completed, let failed):
            .operations(ongoing: self(ongoing), completed: self(completed), failed: self(failed))
        case .transfers(let transfers):
            .transfers(
                transfers.map {
                    var shown = $0
                    shown.transfer = self(shown.transfer)
                    return shown
                })
        case .observers: fact
        }
    }

    fileprivate mutating func callAsFunction(_ shown: [ShownOperation]) -> [ShownOperation] {
        shown.map {
            var shown = $0
            shown.operation = self(shown.operation)
            return shown
        }
    }

    fileprivate mutating func callAsFunction(_ fact: ConnectionFact) -> ConnectionFact {
        switch fact {
        case .opening(let connection, let peer, let item):
            .opening(self(connection), to: peer, by: item.map { self($0) })
        case .securing(let connection, let security): .securing(self(connection), with: security)
        case .bound(let connection, let interface): .bound(self(connection), interface: interface)
        case .attempt(let connection, let family, let interface, let flow):
            .attempt(self(connection), over: family, interface: interface, flow: flow)
        case .attemptEnded(let connection, let family, let why):
            .attemptEnded(self(connection), over: family, why: why)
        case .established(let connection): .established(self(connection))
        case .request(let connection, let method, let target):
            .request(self(connection), method: method, target: target)
        case .response(let connection, let status, let retryAfter):
            .response(self(connection), status: status, retryAfter: retryAfter)
        case .ended(let connection, let why, let transmitted):
            .ended(self(connection), why: why, transmitted: transmitted)
        }
    }
}
