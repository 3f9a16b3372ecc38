public import Quantities

/// The engine of an app's process: sans-I/O, every promise durable before it is spoken.
///
/// Drive it with `handle(_:at:into:)` alone. The first input of a launch is `.restored`. Each call
/// is one mutation and one complete drain; its result is the next moment at which it wants `.wake`.
public struct TransferEngine: Sendable {
    private var turn: Turn
    private var queue: QueueMachine
    private var operations: OperationMachine
    private var entries: EntryMachine
    private var background = BackgroundClient()
    private var isRestored = false

    /// A connection that is silent for this long is given up (error 40).
    public static var stallLimit: TimeSpan { Lane.stallLimit }

    /// Makes an engine.
    ///
    /// `asksForBackgroundTime` is A11's switch. Without `tellsOfPaths` the app hears nothing of the
    /// files of persistent sessions, to see whether it counts on that (P6). `identity` must differ
    /// from that of any other process with transfers to the same servers. Resumable transfers
    /// behave as on the `platform` (K4, K6).
    public init(
        retryPolicy: RetryPolicy = RetryPolicy(), asksForBackgroundTime: Bool = true,
        tellsOfPaths: Bool = true, identity: UInt64 = 0, platform: Platform = .iOS
    ) {
        turn = Turn(
            in: ProcessState(
                identity: identity,
                background: BackgroundWork(asksForTime: asksForBackgroundTime)))
        queue = QueueMachine(retryPolicy: retryPolicy, tellsOfPaths: tellsOfPaths)
        operations = OperationMachine()
        entries = EntryMachine(on: platform)
    }

    /// Handles one input completely; appends outputs in the order in which they must be carried
    /// out.
    public mutating func handle(
        _ input: EngineInput, at now: Instant, into outputs: inout [EngineOutput]
    ) -> Instant? {
        turn.begin(at: now, with: &outputs)
        take(input)
        queue.activateNext(in: &turn)
        queue.noteWaiting(in: &turn)
        endIdleRenewals()
        let hasWork = queue.hasWork(turn.process.background)
        if let output = turn.process.background.balance(hasWork: hasWork) { turn.want(output) }
        turn.persistAgain()
        let standings = queue.takeStandings()
        if !standings.isEmpty { turn.wantFirst(standings.map { .tell(.sessionStands($0)) }) }
        turn.end(with: &outputs)
        var deadline = queue.nextDeadline(after: now)
        deadline.advance(to: operations.nextDeadline)
        deadline.advance(to: entries.nextDeadline)
        deadline.advance(to: turn.process.store.deadline)
        deadline.advance(to: turn.process.credentials.deadline)
        return deadline
    }

    private mutating func take(_ input: EngineInput) {
        switch input {
        case .restored(let records, let accounts): restore(records, accounts)
        case .storeWasSetAside(let setAside):
            turn.process.skip(through: setAside.lastTransfer)
            queue.skip(setAside.lost, setAside.lostAccounts)
            turn.tell(.storeWasSetAside(setAside))
        case .heldEntries(let records): entries.restore(records, in: &turn)
        case .command(let command): take(command)
        case .credential(let handle, let news):
            changed(handle, turn.take(news, on: handle))
        case .daemon(let news): background.hear(news, in: &turn)
        case .attempt(let event): take(event)
        case .persisted(let ticket):
            let first = turn.process.store.kept(ticket, at: turn.now)
            if entries.persisted(first, in: &turn) { break }
            queue.persisted(first, in: &turn)
            if let answer = turn.process.requests.kept(first) { turn.tell(answer) }
        case .persistFailed(let ticket, let reason):
            turn.note(.store(.failed(reason: reason)))
            guard let ticket = turn.process.store.refused(ticket, at: turn.now) else { break }
            if entries.persistFailed(ticket, reason: reason, in: &turn) { break }
            let answer = turn.process.requests.resume(ticket)
            queue.persistFailed(ticket, reason: reason, in: &turn)
            if let answer, let news = turn.process.requests.end(with: answer) { turn.tell(news) }
        case .enteredBackground:
            turn.process.background.leaveFront()
            entries.leaveFront(in: &turn)
        case .enteredForeground:
            if let output = turn.process.background.comeBack() { turn.want(output) }
        case .backgroundTimeExpires(let task):
            guard turn.process.background.expire(task) else { break }
            queue.timeIsUp(in: &turn)
        case .network(let status):
            turn.process.network = status
            queue.networkChanged(in: &turn)
            background.networkChanged(in: &turn)
        case .wake:
            queue.wake(in: &turn)
            operations.wake(in: &turn)
            entries.wake(in: &turn)
            wakeRenewals()
        }
    }

    // MARK: Credentials

    /// Tells all who wait for a credential that it is there, or why it is not to be had.
    private mutating func changed(_ handle: CredentialHandle, _ error: TransferError?) {
        queue.credentialChanged(handle, error, in: &turn)
        operations.credentialChanged(handle, error, in: &turn)
        entries.credentialChanged(handle, error, in: &turn)
        background.credentialChanged(handle, error, in: &turn)
    }

    /// Gives up the renewals that the server leaves unanswered.
    private mutating func wakeRenewals() {
        let late = turn.process.credentials.renewals.filter {
            turn.process.credentials.renewal(of: $0).map { $0.deadline <= turn.now } ?? false
        }
        for handle in late {
            turn.abandonRenewal(of: handle)
            changed(handle, .authorisation)
        }
    }

    /// Ends the renewals that nobody waits for any more: a queue that stands is passive (A19).
    private mutating func endIdleRenewals() {
        guard turn.process.credentials.deadline != nil else { return }
        for handle in turn.process.credentials.renewals where !isAwaited(handle) {
            turn.abandonRenewal(of: handle)
        }
    }

    private func isAwaited(_ handle: CredentialHandle) -> Bool {
        queue.waits(for: handle) || operations.waits(for: handle) || entries.waits(for: handle)
            || background.waits(for: handle)
    }

    /// Starts counting the cells of state tables that the machines reach.
    package mutating func countCells() {
        queue.cells = QueueMachine.Cells()
        operations.cells = StateCells()
        entries.cells = StateCells()
    }

    /// The cells counted so far; `nil` if they are not counted.
    package var cells: ReachedCells? {
        guard let queue = queue.cells, let operations = operations.cells,
            let entries = entries.cells
        else { return nil }
        var cells = ReachedCells()
        cells.sessions = queue.sessions
        cells.persistent = queue.persistent
        cells.operations = operations
        cells.entries = entries
        return cells
    }

    // MARK: By façade

    private mutating func take(_ event: AttemptInput) {
        if case .connection(let connection) = event.subject,
            let handle = turn.process.credentials.handle(renewedOn: connection)
        {
            return take(event, renewing: handle)
        }
        let owner: Owner? =
            switch event.subject {
            case .file(let transfer): Owner(of: transfer)
            case .connection(let connection):
                turn.process.connections.owner(of: connection).map(Owner.init)
            }
        switch owner {
        case .queue: queue.take(event, in: &turn)
        case .operation(let id): operations.take(event, of: id, in: &turn)
        case .entry(let id): entries.take(event, of: id, in: &turn)
        case nil: break
        }
        if case .disconnected(let connection, _) = event {
            turn.process.connections.forget(connection)
        }
    }

    private mutating func take(_ event: AttemptInput, renewing handle: CredentialHandle) {
        guard let lost = turn.take(event, renewing: handle) else { return }
        _ = turn.process.credentials.endRenewal(of: lost)
        changed(lost, turn.notRenewed(lost, nil))
    }

    private mutating func take(_ command: Command) {
        // A17.
        guard isRestored || command.isOfBackground else {
            turn.tell(.refused(command.refusalBeforeLaunch))
            if case .queue(_, let request?) = command {
                turn.tell(.answered(request, .refused(.notInitialised)))
            }
            return
        }
        switch command {
        case .queue(let command, let request): take(command, answering: request)
        case .operation(let command): operations.take(command, in: &turn)
        case .entry(let command): entries.take(command, in: &turn)
        case .background(let command): background.take(command, in: &turn)
        }
    }

    private mutating func take(_ command: QueueCommand, answering request: RequestID?) {
        let before = turn.process.store.lastTicket
        turn.process.requests.begin(request)
        queue.take(command, in: &turn)
        guard request != nil else { return }
        let answer = queue.answer(to: command)
        let last = turn.process.store.lastTicket
        if last != before {
            turn.process.requests.wait(for: last, answering: answer)
        } else if let news = turn.process.requests.end(with: answer) {
            turn.tell(news)
        }
    }

    private mutating func restore(_ records: [SessionRecord], _ accounts: [AccountRecord]) {
        precondition(!isRestored, "a launch restores once")
        isRestored = true
        let last = records.flatMap(\.transfers).map(\.id.number).max() ?? 0
        turn.process.restore(lastTransfer: TransferID(last))
        queue.restore(records, accounts, in: &turn)
    }
}

/// The owner of an attempt.
private enum Owner {
    case queue
    case operation(OperationID)
    case entry(EntryID)

    init(of transfer: TransferID) {
        if let id = EntryID(transfer) {
            self = .entry(id)
        } else if let id = OperationID(transfer) {
            self = .operation(id)
        } else {
            self = .queue
        }
    }

    init(_ item: ItemName) {
        switch item.facade {
        case .queue: self = .queue
        case .operations: self = .operation(OperationID(item.number))
        case .bucket: self = .entry(EntryID(item.number))
        case .background: preconditionFailure("the daemon connects for a task, not the engine")
        }
    }
}

extension Command {
    /// Whether the daemon carries out the command, which needs no launch of the engine.
    fileprivate var isOfBackground: Bool {
        if case .background = self { true } else { false }
    }

    fileprivate var refusalBeforeLaunch: Refusal {
        switch self {
        case .queue: .queue(.notInitialised)
        case .operation(let command): .operation(.notInitialised(command.begun))
        case .entry(let command): .entry(.notInitialised(command.id))
        case .background: preconditionFailure("background sessions need no launch")
        }
    }
}
