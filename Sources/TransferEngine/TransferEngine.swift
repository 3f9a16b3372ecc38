public import Quantities

/// The engine of an app's process: sans-I/O, every promise durable before it is spoken.
///
/// Drive it with `handle(_:at:into:)` alone: the first input of a launch is `.restored`, each call
/// is one mutation and one complete drain, and its result is the next moment at which it wants
/// `.wake`.
public struct TransferEngine: Sendable {
    private var process: ProcessState
    private var queue: QueueMachine
    private var operations: OperationMachine
    private var entries: EntryMachine
    private var background = BackgroundClient()
    private var isRestored = false

    /// Without any sign of life for so long, a connection is given up (error 40).
    public static var stallLimit: TimeSpan { Lane.stallLimit }

    /// `asksForBackgroundTime` is A11's switch; `identity` is that of no other process which has
    /// transfers to the same servers; resumable transfers behave as on the `platform` (K4, K6).
    public init(
        retryPolicy: RetryPolicy = RetryPolicy(), asksForBackgroundTime: Bool = true,
        identity: UInt64 = 0, platform: Platform = .iOS
    ) {
        process = ProcessState(background: BackgroundWork(asksForTime: asksForBackgroundTime))
        queue = QueueMachine(retryPolicy: retryPolicy)
        operations = OperationMachine(identity: identity)
        entries = EntryMachine(on: platform)
    }

    /// Takes one input to its end; outputs are appended in the order in which they must be carried
    /// out.
    public mutating func handle(
        _ input: EngineInput, at now: Instant, into outputs: inout [EngineOutput]
    ) -> Instant? {
        switch input {
        case .restored(let records, let accounts): restore(records, accounts, into: &outputs)
        case .storeWasSetAside(let setAside):
            process.skip(through: setAside.lastTransfer)
            queue.skip(setAside.lost, setAside.lostAccounts)
            outputs.append(.storeWasSetAside(setAside))
        case .command(let command): take(command, at: now, into: &outputs)
        case .operation(let command):
            guard isRestored else {
                operations.refuse(.notInitialised, into: &outputs)
                break
            }
            operations.take(command, in: &process, at: now, into: &outputs)
        case .heldEntries(let records):
            entries.restore(records, in: &process, into: &outputs)
        case .entry(let command):
            guard isRestored else {
                entries.refuse(.notInitialised(command.id), into: &outputs)
                break
            }
            entries.take(command, in: &process, at: now, into: &outputs)
        case .background(let command): background.take(command, into: &outputs)
        case .daemon(let news): background.hear(news, into: &outputs)
        case .persisted(let ticket):
            let first = process.store.kept(ticket, at: now)
            if entries.persisted(first, in: &process, at: now, into: &outputs) { break }
            queue.persisted(first, in: &process, at: now, into: &outputs)
        case .persistFailed(let ticket, let reason):
            outputs.append(.note(.storeFailed(reason: reason)))
            guard let ticket = process.store.refused(ticket, at: now) else { break }
            let isEntry = entries.persistFailed(
                ticket, reason: reason, in: &process, at: now, into: &outputs)
            if isEntry { break }
            queue.persistFailed(ticket, reason: reason, in: &process, at: now, into: &outputs)
        case .examined(let transfer, _), .kept(let transfer, _), .placed(let transfer, _):
            pass(input, of: transfer, at: now, into: &outputs)
        case .inspected, .connected, .received, .taken, .disconnected, .unreadable:
            pass(input, at: now, into: &outputs)
        case .enteredBackground:
            process.background.leaveFront()
            entries.leaveFront(in: &process, into: &outputs)
        case .enteredForeground: process.background.comeBack(into: &outputs)
        case .backgroundTimeExpires(let task):
            guard process.background.expire(task) else { break }
            queue.timeIsUp(in: &process, into: &outputs)
        case .network(let status):
            process.network = status
            queue.networkChanged(in: &process, at: now, into: &outputs)
        case .wake:
            queue.wake(in: &process, at: now, into: &outputs)
            operations.wake(at: now, into: &outputs)
            entries.wake(in: &process, at: now, into: &outputs)
        }
        queue.activateNext(in: &process, at: now, into: &outputs)
        queue.noteWaiting(in: process, at: now, into: &outputs)
        process.background.balance(
            hasWork: queue.hasWork(process.background), into: &outputs)
        process.persistAgain(at: now, into: &outputs)
        let deadlines = [
            queue.nextDeadline(after: now), operations.nextDeadline, entries.nextDeadline,
            process.store.deadline,
        ]
        return deadlines.compactMap(\.self).min()
    }

    /// From now on the cells of state tables are counted that its machines reach.
    package mutating func countCells() {
        queue.cells = QueueMachine.Cells()
        operations.cells = StateCells()
        entries.cells = StateCells()
    }

    /// What its machines have counted, if they were to.
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

    private mutating func tell(
        _ entry: EntryID, _ input: EngineInput, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        switch input {
        case .examined(_, let examination):
            entries.examined(entry, examination, in: &process, at: now, into: &outputs)
        case .kept(_, let count):
            entries.kept(count, of: entry, in: &process, at: now, into: &outputs)
        case .placed(_, let result):
            entries.placed(entry, result, in: &process, at: now, into: &outputs)
        default: preconditionFailure("\(input) is nothing that files do for an entry")
        }
    }

    /// What becomes of a file that comes, to the machine whose transfer it is.
    private mutating func pass(
        _ input: EngineInput, of transfer: TransferID, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        if let entry = EntryID(transfer) {
            tell(entry, input, at: now, into: &outputs)
        } else {
            queue.take(input, in: &process, at: now, into: &outputs)
        }
    }

    /// What happens to an attempt, to the machine whose attempt it is.
    private mutating func pass(
        _ input: EngineInput, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        switch input {
        case .inspected(let transfer, let inspection):
            if let entry = EntryID(transfer) {
                entries.inspected(entry, inspection, in: &process, at: now, into: &outputs)
            } else if let operation = OperationID(transfer) {
                operations.inspected(
                    operation, inspection, in: &process, at: now, into: &outputs)
            } else {
                queue.inspected(transfer, inspection, in: &process, at: now, into: &outputs)
            }
        case .connected(let id) where operations.owns(id):
            operations.connected(id, in: &process, at: now, into: &outputs)
        case .connected(let id) where entries.owns(id):
            entries.connected(id, in: &process, at: now, into: &outputs)
        case .connected(let id): queue.connected(id, in: &process, at: now, into: &outputs)
        case .received(let id, let segments) where operations.owns(id):
            operations.received(segments, on: id, in: &process, at: now, into: &outputs)
        case .received(let id, let segments) where entries.owns(id):
            entries.received(segments, on: id, in: &process, at: now, into: &outputs)
        case .received(let id, let segments):
            queue.received(segments, on: id, in: &process, at: now, into: &outputs)
        case .taken(let id, let count) where operations.owns(id):
            operations.taken(count, on: id, in: &process, at: now, into: &outputs)
        case .taken(let id, let count) where entries.owns(id):
            entries.taken(count, on: id, in: &process, at: now, into: &outputs)
        case .taken(let id, let count):
            queue.taken(count, on: id, in: &process, at: now, into: &outputs)
        case .disconnected(let id, let why) where operations.owns(id):
            operations.disconnected(id, why, at: now, into: &outputs)
        case .disconnected(let id, let why) where entries.owns(id):
            entries.disconnected(id, why, in: &process, at: now, into: &outputs)
        case .disconnected(let id, let why):
            queue.disconnected(id, why, in: &process, at: now, into: &outputs)
        case .unreadable(let id) where operations.owns(id):
            operations.unreadable(id, at: now, into: &outputs)
        case .unreadable(let id) where entries.owns(id): entries.unreadable(id, into: &outputs)
        case .unreadable(let id): queue.unreadable(id, in: &process, at: now, into: &outputs)
        case .restored, .storeWasSetAside, .heldEntries, .command, .operation, .entry,
            .background, .daemon, .persisted, .persistFailed, .examined, .kept, .placed,
            .enteredBackground, .enteredForeground, .backgroundTimeExpires, .network, .wake:
            preconditionFailure("\(input) is nothing that happens to an attempt")
        }
    }

    private mutating func restore(
        _ records: [SessionRecord], _ accounts: [AccountRecord], into outputs: inout [EngineOutput]
    ) {
        precondition(!isRestored, "a launch restores once")
        isRestored = true
        process.restore(
            lastTransfer: records.flatMap(\.transfers).map(\.id).max {
                $0.number < $1.number
            } ?? TransferID(0))
        queue.restore(records, accounts, in: &process, into: &outputs)
    }

    private mutating func take(
        _ command: QueueCommand, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        // A17.
        guard isRestored else { return queue.refuse(.notInitialised, into: &outputs) }
        switch command {
        case .enqueue(let request):
            queue.enqueue(request, at: nil, in: &process, into: &outputs)
        case .insert(let request, let index):
            queue.enqueue(request, at: index, in: &process, into: &outputs)
        case .save(let request): queue.save(request, in: &process, into: &outputs)
        case .edit(let session, let request):
            queue.edit(session, to: request, in: &process, into: &outputs)
        case .enqueueSaved(let session, let index):
            queue.enqueue(saved: session, at: index, in: &process, into: &outputs)
        case .deleteSession(let session):
            queue.delete(session, in: &process, at: now, into: &outputs)
        case .saveAccount(let account): queue.save(account, in: &process, into: &outputs)
        case .changeAccount(let id, let account):
            queue.change(id, to: account, in: &process, into: &outputs)
        case .deleteAccount(let id): queue.delete(id, in: &process, into: &outputs)
        case .move(let from, let to):
            queue.reorder(from: from, to: to, in: &process, into: &outputs)
        case .session(let verb, let index):
            queue.take(verb, at: index, in: &process, at: now, into: &outputs)
        case .change(let settings, let index):
            queue.change(settings, at: index, in: &process, into: &outputs)
        case .addPath(let file, let index):
            queue.addPath(file, at: index, in: &process, at: now, into: &outputs)
        case .start: queue.start(into: &outputs)
        case .heardOfSetAside: process.persist(.forgetSetAside, into: &outputs)
        case .stop: queue.stop(in: &process, into: &outputs)
        }
    }
}
