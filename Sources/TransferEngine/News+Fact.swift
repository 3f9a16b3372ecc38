import Quantities

extension News {
    /// The message as a fact of the log.
    package var fact: Fact? {
        switch self {
        case .queueHolds(let sessions): .queue(.holds(sessions.map(\.id.name)))
        case .sessionStands: nil
        case .answered(let request, let answer):
            .queue(.answered(request: request.number, answer.fact))
        case .queueMode(.running): .queue(.started)
        case .queueMode(.stopped): .queue(.stopped)
        case .storeWasSetAside(let setAside): .queue(.storeWasSetAside(as: setAside.name))
        case .saved(let news): news.fact.map { .queue(.saved($0)) }
        case .session(let session, let callback):
            .queue(.callback(session.name, callback))
        case .operation(let operation, let news):
            .operations(.callback(operation.name, news.fact))
        case .entry(let entry, let news): .entries(.callback(entry.name, news.fact))
        case .entriesHeld(let records): .entries(.held(records.map(\.id.name)))
        case .background(let callback): .background(callback.fact)
        case .refused(let refusal): refusal.fact
        }
    }
}

extension QueueAnswer {
    fileprivate var fact: AnswerFact {
        switch self {
        case .done: .done
        case .session(let session): .session(session.name)
        case .account(let account): .account(account.name)
        case .refused(let refusal): .refused(reason: refusal.message)
        }
    }
}

extension Refusal {
    fileprivate var fact: Fact {
        switch self {
        case .queue(let refusal):
            .queue(
                refusal.isOfCommand
                    ? .denied(reason: refusal.message) : .refused(reason: refusal.message))
        case .operation(let refusal): .operations(.refused(reason: refusal.message))
        case .entry(let refusal):
            .entries(
                .refused(refusal.id.name, code: refusal.code, reason: refusal.message))
        case .task(let refusal): .background(.refused(reason: refusal.message))
        }
    }
}

extension SavedNews {
    /// The message as a fact; `nil` for queue sessions, which have their own events.
    fileprivate var fact: SavedFact? {
        switch self {
        case .holds(let accounts, let sessions):
            .holds(accounts: accounts.map(\.id.name), sessions: sessions.map(\.id.name))
        case .account(let record): .account(record.id.name, SavedAccount(record.account))
        case .accountDeleted(let account): .accountDeleted(account.name)
        case .session(let record, _):
            record.accountID.map { account in
                .session(
                    record.id.name, of: account.name,
                    record.transfers.map {
                        AcceptedTransfer($0, isDownload: record.isDownload)
                    })
            }
        case .sessionDeleted(let session): .sessionDeleted(session.name)
        case .enqueued: nil
        }
    }
}

extension SavedAccount {
    fileprivate init(_ account: QueueAccount) {
        self.init(
            name: account.name, credentials: account.access.credentials.name,
            folder: account.folder)
    }
}

extension OperationNews {
    fileprivate var fact: OperationCallback {
        switch self {
        case .added: .added
        case .progress(let done, let total): .progress(done: done, total: total)
        case .completed: .completed
        case .failed(let error): .failed(code: error.code, message: error.message)
        case .agedOut: .agedOut
        case .flushed: .flushed
        }
    }
}

extension EntryNews {
    fileprivate var fact: EntryCallback {
        switch self {
        case .ongoing: .ongoing
        case .progress(let done, let total): .progress(done: done, total: total)
        case .suspended(let error): .suspended(code: error.code, message: error.message)
        case .completed: .completed
        case .ended(let error): .ended(code: error.code, message: error.message)
        }
    }
}

extension BackgroundCallback {
    fileprivate var fact: BackgroundFact {
        switch self {
        case .handleEvents(let session): .handleEvents(session: session)
        case .didSendBodyData(let task, _, let bytes, let sent, let expected):
            .callback(
                Self.name(task), .didSendBodyData(bytes: bytes, sent: sent, expected: expected))
        case .didResume(let task, _, let offset, let expected):
            .callback(Self.name(task), .didResume(offset: offset, expected: expected))
        case .didWriteData(let task, _, let bytes, let written, let expected):
            .callback(
                Self.name(task),
                .didWriteData(bytes: bytes, written: written, expected: expected))
        case .didReceiveData(let task, _, let body):
            .callback(
                Self.name(task), .didReceiveData(bytes: ByteCount(UInt64(body.count))))
        case .didFinishDownloading(let task, _, _, let response, _):
            .callback(Self.name(task), .didFinishDownloading(status: response.status))
        case .didComplete(let task, _, _, let outcome, let data):
            .callback(
                Self.name(task),
                .didComplete(outcome.fact, canResume: data == nil ? nil : true))
        case .tasks(let session, let tasks):
            .listed(session: session, tasks.map { Self.name($0.number) })
        case .didBecomeInvalid(let session): .didBecomeInvalid(session: session)
        case .didFinishEvents(let session): .didFinishEvents(session: session)
        case .tasksWereLost(let tasks): .tasksWereLost(tasks.map(Self.name))
        }
    }

    private static func name(_ task: UInt64) -> ItemName { ItemName(task, of: .background) }
}

extension TaskOutcome {
    fileprivate var fact: TaskEnd {
        switch self {
        case .answered(let response): .answered(status: response.status)
        case .failed(let error): .failed(code: error.rawValue, message: error.message)
        }
    }
}
