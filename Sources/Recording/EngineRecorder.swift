import Protocols
package import Quantities
package import RunLog
package import TransferEngine

/// Turns what an engine is told and what it wants into events of the log.
///
/// One recorder follows one launch; both worlds use it, so that they speak the same language.
package struct EngineRecorder: Sendable {
    private let launch: UInt32
    private let app: AppNumbers
    /// What downloads bring.
    private var objects: Set<TransferID> = []
    private var content: ExpectedContent<KeptByApp>

    /// All these are what the store was found to hold at this launch.
    package init(
        launch: UInt32, of app: AppNumbers = AppNumbers(), restored records: [SessionRecord],
        _ entries: [EntryRecord] = [], accounts: [AccountRecord] = []
    ) {
        self.launch = launch
        self.app = app
        content = ExpectedContent(records, entries, accounts)
        for record in records { noteDownloads(of: record) }
    }

    /// `setAside` is the damaged store before this one, until the app has heard of it.
    package func recordOpening(
        after setAside: StoreSetAside?, at now: Instant, into log: inout RunLogSink
    ) {
        if let setAside {
            let kept = content.sessions.map(name) + content.entries.map(name)
            log.record(
                .store(
                    .setAside(
                        as: setAside.name, because: setAside.reason, kept: kept,
                        lost: setAside.lost.map(name) + setAside.lostEntries.map(name))),
                at: now, app: app.name)
        }
        log.record(
            .store(
                .opened(
                    launch: launch, content: content.digest.value, sessions: content.itemCount)),
            at: now, app: app.name)
    }

    /// What the world tells the engine; most of it shows elsewhere already.
    package mutating func record(
        _ input: EngineInput, at now: Instant, into log: inout RunLogSink
    ) {
        switch input {
        case .persisted(let ticket):
            content.promised(ticket)
            log.record(.store(.committed(ticket: ticket.number)), at: now, app: app.name)
        case .attempt(.inspected(let transfer, .regularFile(let fingerprint)))
        where !objects.contains(transfer):
            log.record(
                .engine(
                    .inspected(
                        name(transfer), size: fingerprint.size, modified: fingerprint.modified)),
                at: now, app: app.name)
        case .attempt(.connected(let connection)):
            log.record(.connection(.established(name(connection))), at: now, app: app.name)
        case .persistFailed(let ticket, _):
            content.refused(ticket)
            // What was asked for since was asked for behind a change that is none any more.
            for (ticket, digest) in content.pending {
                log.record(
                    .store(.requested(ticket: ticket.number, content: digest.value, paths: [])),
                    at: now, app: app.name)
            }
        case .restored, .storeWasSetAside, .heldEntries, .command, .daemon, .attempt, .wake,
            .enteredBackground, .enteredForeground, .backgroundTimeExpires, .network:
            break
        }
    }

    package mutating func record(
        _ output: EngineOutput, at now: Instant, into log: inout RunLogSink
    ) {
        if case .persist(_, .put(let record)) = output { noteDownloads(of: record) }
        switch output {
        case .persist(let ticket, let change):
            content.asked(change, by: ticket)
            log.record(
                .store(
                    .requested(
                        ticket: ticket.number, content: content.digest.value,
                        paths: change.paths)),
                at: now, app: app.name)
        case .attempt(.connect(let connection, let account, let item)):
            log.record(
                .connection(
                    .opening(
                        name(connection), to: "\(account.host):\(account.port)",
                        by: name(item))), at: now,
                app: app.name)
        case .tell(let news):
            if let fact = fact(of: news) { log.record(fact, at: now, app: app.name) }
        case .note(let note):
            for fact in facts(of: note) { log.record(fact, at: now, app: app.name) }
        // The phone tells of its tasks.
        case .attempt, .beginBackgroundTask, .endBackgroundTask, .askDaemon: break
        }
    }

    /// What the app is told, as an event of the log.
    private func fact(of news: News) -> Fact? {
        switch news {
        case .queueHolds: nil
        case .storeWasSetAside(let setAside): .queue(.storeWasSetAside(as: setAside.name))
        case .saved(let news): fact(of: news)
        case .session(let session, let callback):
            .queue(.callback(name(session), fact(of: callback)))
        case .operation(let operation, let news):
            OperationCallback(news).map { .operations(.callback(name(operation), $0)) }
        case .entry(let entry, let news): .entries(.callback(name(entry), EntryCallback(news)))
        case .entriesHeld(let records): .entries(.held(records.map { name($0.id) }))
        case .background(let callback): .background(callback.fact(app))
        case .refused(let refusal): fact(of: refusal)
        }
    }

    private func fact(of refusal: Refusal) -> Fact {
        switch refusal {
        case .queue(let refusal):
            .queue(
                refusal.isOfCommand
                    ? .denied(reason: refusal.message) : .refused(reason: refusal.message))
        case .operation(let refusal): .operations(.refused(reason: refusal.message))
        case .entry(let refusal):
            .entries(.refused(name(refusal.id), code: refusal.code, reason: refusal.message))
        case .task(let refusal): .background(.refused(reason: refusal.message))
        }
    }

    /// A connection is over, and so many bytes of its stream had left by then.
    package func record(
        end: ConnectionEnd, of connection: ConnectionID, transmitted: ByteCount, at now: Instant,
        into log: inout RunLogSink
    ) {
        log.record(
            .connection(.ended(name(connection), why: end, transmitted: transmitted)), at: now,
            app: app.name)
    }

    /// The transfer that a task of the app is.
    package func transfer(ofTask number: UInt64) -> TransferName {
        let task = app.name(ofTask: number)
        return TransferName(task.number, of: task.facade)
    }

    private mutating func noteDownloads(of record: SessionRecord) {
        guard record.isDownload else { return }
        objects.formUnion(record.transfers.map(\.id))
    }

    private func facts(of note: EngineNote) -> [RunEvent.Fact] {
        switch note {
        case .operation(let operation, let note): facts(of: note, about: name(operation))
        case .paths(let note): [fact(of: note)]
        case .belongs(let session, let account):
            [.queue(.saved(.belongs(name(session), to: AccountName(account))))]
        case .entry(let entry, let note): facts(of: note, about: name(entry))
        default: [fact(of: note)]
        }
    }

    private func fact(of note: EngineNote) -> RunEvent.Fact {
        switch note {
        case .operation, .entry, .paths, .belongs:
            preconditionFailure("\(note) is told beside this")
        case .operationsFlushed: return .operations(.flushed)
        case .accepted(let session, let index, let transfers, let isDownload):
            return .engine(
                .accepts(
                    name(session), index: index,
                    transfers.map { acceptance(of: $0, isDownload: isDownload) }))
        case .callsHandler(let session): return .background(.handlerCalled(session: session))
        case .queueStarted: return .queue(.started)
        case .queueStopped: return .queue(.stopped)
        case .asked(let verb, let session):
            return .queue(.asked(name(session), wish(verb)))
        case .reordered(let session, let from, let to):
            return .queue(.reordered(name(session), from: from, to: to))
        case .moved(let session, let from, let to, let because):
            return .engine(
                .moves(
                    name(session), from: stage(from), to: stage(to),
                    because: because))
        case .found(let session, let state):
            return .engine(.found(name(session), stage(state)))
        case .attempt(let session, let number):
            return .engine(.attempt(name(session), number: number))
        case .resumes(let transfer, let resource, let offset):
            return .engine(.resumes(name(transfer), resource: ResourceName(resource), at: offset))
        case .isUnproven(let transfer, let because):
            return .engine(.isUnproven(name(transfer), because: ResumeBlindSpot(because)))
        case .keepsTarget(let transfer, let because):
            return .engine(.keepsTarget(name(transfer), because: TargetKept(because)))
        case .goesBy(let session, let settings):
            return .engine(.goesBy(name(session), SessionSettings(settings)))
        case .startsOver(let transfer, let because):
            return .engine(.startsOver(name(transfer), because: because))
        case .sends(let transfer, let resource, let from, let connection, let bodyAt):
            return .engine(
                .sends(
                    name(transfer), resource: ResourceName(resource), from: from,
                    on: name(connection), bodyAt: bodyAt))
        // A query may be a signature, which is nobody's business.
        case .asks(let connection, let head):
            return .connection(
                .request(
                    name(connection), method: head.method,
                    target: String(head.target.prefix { $0 != "?" })))
        case .isAnswered(let connection, let head):
            return .connection(
                .response(
                    name(connection), status: head.status, retryAfter: head.retryAfter))
        case .completes(let transfer): return .engine(.completes(name(transfer)))
        case .waitsForNetwork(let session, let because):
            return .engine(.waitsForNetwork(name(session), because: because))
        case .isLimited(let session, let limits):
            return .engine(.isLimited(name(session), ItemLimits(limits)))
        case .fails(let session, let error, let pause):
            return .engine(
                .fails(
                    name(session), code: error.code, message: error.message,
                    retryIn: pause))
        case .storeFailed(let reason): return .store(.failed(reason: reason))
        }
    }

    func acceptance(of transfer: TransferRecord, isDownload: Bool = false) -> AcceptedTransfer {
        AcceptedTransfer(
            transfer: name(transfer.id), source: transfer.source,
            destination: transfer.destination, isDownload: isDownload)
    }

    private func fact(of callback: QueueCallback) -> SessionCallback {
        switch callback {
        case .willActivate: .willActivate
        case .didActivate: .didActivate
        case .willStartRunning: .willStartRunning
        case .didStartRunning: .didStartRunning
        case .canAcceptPaths: .canAcceptPaths
        case .didStartFile(let name): .didStartFile(name: name)
        case .progress(let name, let done, let total):
            .progress(name: name, done: done, total: total)
        case .didStopFile(let name): .didStopFile(name: name)
        case .willStopRunning: .willStopRunning
        case .didStopRunning: .didStopRunning
        case .willDeactivate: .willDeactivate
        case .didDeactivate(.completed): .didDeactivate(.completed)
        case .didDeactivate(.failed(let error)):
            .didDeactivate(.failed(code: error.code, message: error.message))
        case .didDeactivate(.cancelled): .didDeactivate(.cancelled)
        case .didDeactivate(.stopped(.expiry)): .didDeactivate(.stopped(by: .expiry))
        case .didDeactivate(.stopped(.session)): .didDeactivate(.stopped(by: .session))
        case .didDeactivate(.stopped(.queue)): .didDeactivate(.stopped(by: .queue))
        case .didDeactivate(.stopped(.preemption)): .didDeactivate(.stopped(by: .preemption))
        case .row(.inserted(let index)): .row(.inserted(at: index))
        case .row(.removed(let index)): .row(.removed(at: index))
        case .row(.moved(let from, let to)): .row(.moved(from: from, to: to))
        case .row(.updated(let index)): .row(.updated(at: index))
        }
    }

    private func wish(_ verb: SessionVerb) -> SessionWish {
        switch verb {
        case .run: .run
        case .cancel: .cancel
        case .stop: .stop
        case .pause: .pause
        case .resume: .resume
        case .remove: .remove
        }
    }

    private func stage(_ state: SessionState) -> ItemStage {
        switch state {
        case .waiting: .waiting
        case .running: .running
        case .retrying: .retrying
        case .paused: .paused
        case .preempted: .preempted
        case .preemptedPaused: .preemptedPaused
        case .cancelled: .cancelled
        case .completed: .completed
        case .failed: .failed
        }
    }

    func name(_ session: SessionID) -> ItemName { name(ItemID(session)) }

    private func name(_ item: ItemID) -> ItemName {
        switch item.facade {
        case .queue: ItemName(app.session(item.number))
        case .operations: name(OperationID(item.number))
        case .bucket: name(EntryID(item.number))
        case .background: preconditionFailure("an app opens no connection for a task")
        }
    }

    private func name(_ operation: OperationID) -> ItemName {
        ItemName(app.operation(operation.number), of: .operations)
    }

    package func name(_ entry: EntryID) -> ItemName {
        ItemName(app.entry(entry.number), of: .bucket)
    }

    package func name(_ transfer: TransferID) -> TransferName {
        if let entry = EntryID(transfer) { return TransferName(name(entry)) }
        if let operation = OperationID(transfer) { return TransferName(name(operation)) }
        if let path = PathID(transfer) {
            return TransferName(path: path.number, ofLaunch: launch)
        }
        return TransferName(app.transfer(transfer.number))
    }

    package func name(_ connection: ConnectionID) -> ConnectionName {
        ConnectionName(launch: launch, number: connection.number)
    }
}

extension BackgroundCallback {
    fileprivate func fact(_ app: AppNumbers) -> BackgroundFact {
        switch self {
        case .handleEvents(let session): .handleEvents(session: session)
        case .didSendBodyData(let task, _, let sent, let expected):
            .callback(
                app.name(ofTask: task), .didSendBodyData(sent: sent, expected: expected))
        case .didResume(let task, _, let offset, let expected):
            .callback(app.name(ofTask: task), .didResume(offset: offset, expected: expected))
        case .didWriteData(let task, _, let written, let expected):
            .callback(
                app.name(ofTask: task), .didWriteData(written: written, expected: expected))
        case .didFinishDownloading(let task, _, _):
            .callback(app.name(ofTask: task), .didFinishDownloading)
        case .didComplete(let task, _, let outcome):
            .callback(app.name(ofTask: task), .didComplete(outcome.end))
        case .didFinishEvents(let session): .didFinishEvents(session: session)
        case .tasksWereLost(let tasks): .tasksWereLost(tasks.map { app.name(ofTask: $0) })
        }
    }
}

extension ItemLimits {
    init(_ limits: NetworkLimits) {
        self.init(
            allowsCellular: !limits.contains(.noCellular),
            allowsMetered: !limits.contains(.noMetered),
            allowsLowData: !limits.contains(.noLowData))
    }
}

extension AppNumbers {
    func name(ofTask number: UInt64) -> ItemName {
        ItemName(tasksBefore + number, of: .background)
    }
}

extension TaskOutcome {
    fileprivate var end: TaskEnd {
        switch self {
        case .answered(let status): .answered(status: status)
        case .failed(let error): .failed(code: error.rawValue, message: error.message)
        }
    }
}
