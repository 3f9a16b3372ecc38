public import Protocols
public import Quantities

/// The daemon that carries out the tasks of background sessions for all apps of a phone (behaviour
/// B): sans-I/O, with a task table and a store of its own.
///
/// It outlives the apps. What it was asked, and what an app must still hear, is durable; its
/// process ends with the phone's power alone, and the first input of a start is `.restored`.
public struct TransferDaemon: Sendable {
    var tasks: [DaemonTask] = []
    var clients: [DaemonClient] = []
    var network: NetworkStatus?
    var hasCharger = false
    /// The store before this one, which was damaged.
    var setAside: TaskStoreSetAside?
    private var store = StoreLedger<TaskChange>()
    private var lastConnection: ConnectionID
    /// Of the phone: no other has the same.
    let identity: String
    /// The dialect of resumable uploads that its system speaks, if it does.
    let resumes: ResumableUploadVersion?
    let retryPolicy: RetryPolicy
    /// Counted where somebody asks for it.
    package internal(set) var cells: ReachedCells?

    /// How long the system tries (B10).
    static let resourceTimeout = TimeSpan.seconds(7 * 24 * 3600)

    /// Its connections are counted after those of the daemon's earlier starts.
    public init(
        of identity: String, connectionsBefore: UInt32, resumes: ResumableUploadVersion? = nil
    ) {
        self.identity = identity
        self.resumes = resumes
        lastConnection = ConnectionID(connectionsBefore)
        var policy = RetryPolicy()
        policy.retries = .max
        retryPolicy = policy
    }

    /// Takes one input, adds what is wanted then to `outputs`, and says when it has to be woken, if
    /// nothing else comes before.
    public mutating func handle(
        _ input: DaemonInput, at now: Instant, into outputs: inout [DaemonOutput]
    ) -> Instant? {
        if cells != nil { countCells(of: input) }
        switch input {
        case .restored(let records, let delays, let clearings):
            for (app, count) in clearings.enumerated() where count > 0 {
                clients[client(UInt16(app))].installation = count
            }
            restore(records, into: &outputs)
            for delay in delays { clients[client(delay.app)].delay = delay.time }
            // Nothing begins before the phone has said what network there is (S13).
            return tasks.isEmpty ? nextDeadline(after: now) : now
        case .storeWasSetAside(let setAside): self.setAside = setAside
        case .asked(let app, let request): take(request, of: app, at: now, into: &outputs)
        case .app(let app, let stage): appIs(app, stage, into: &outputs)
        case .persisted(let ticket):
            persisted(store.kept(ticket, at: now), at: now, into: &outputs)
        case .persistFailed(let ticket):
            outputs.append(.note(.storeFailed))
            guard let ticket = store.refused(ticket, at: now) else { break }
            persistFailed(ticket, into: &outputs)
        case .inspected(let transfer, let inspection):
            withLane(ofTask: TaskID(transfer), at: now, into: &outputs) {
                $0.inspected(inspection, &$1, mustSave: false, into: &$2)
            }
        case .connected(let connection): connected(connection, at: now, into: &outputs)
        case .received(let connection, let segments):
            withLane(on: connection, at: now, into: &outputs) { lane, transfer, outputs in
                var carried: TransferRecord? = transfer
                let need = lane.received(segments, &carried, at: now, into: &outputs)
                if let carried { transfer = carried }
                return need
            }
        case .taken(let connection, let count):
            taken(count, on: connection, at: now, into: &outputs)
        case .disconnected(let connection, let why):
            disconnected(connection, why, at: now, into: &outputs)
        case .unreadable(let connection):
            guard let index = index(on: connection) else { break }
            fail(index, .noPermissionsToReadFile, at: now, into: &outputs)
        case .kept(let transfer, let count):
            kept(count, of: TaskID(transfer), at: now, into: &outputs)
        case .network(let status):
            network = status
            interruptWhereNeeded(at: now, into: &outputs)
        case .charger(let isConnected):
            hasCharger = isConnected
            interruptWhereNeeded(at: now, into: &outputs)
        case .wake: wake(at: now, into: &outputs)
        }
        beginWhatMay(at: now, into: &outputs)
        deliver(into: &outputs)
        wakeApps(into: &outputs)
        outputs += store.askAgain(at: now).map { .persist($0, $1) }
        return nextDeadline(after: now)
    }

    // MARK: The store

    mutating func persist(
        _ change: TaskChange, into outputs: inout [DaemonOutput]
    ) -> PersistTicket {
        let ticket = store.ask(change)
        outputs.append(.persist(ticket, change))
        return ticket
    }

    mutating func nextConnection() -> ConnectionID {
        lastConnection.number += 1
        return lastConnection
    }

    private mutating func restore(_ records: [TaskRecord], into outputs: inout [DaemonOutput]) {
        for record in records {
            guard clients[client(record.id.app)].installation == record.installation else {
                // The power went before the store had heard that the app was cleared.
                drop(record, into: &outputs)
                continue
            }
            countCell(of: record, .reboot)
            let phase: DaemonTask.Phase = record.state == .running ? .waiting : .resting
            tasks.append(DaemonTask(record: record, phase: phase))
            // Nothing runs yet after a restart; whoever is waited for is started.
            appIs(record.id.app, .dead, into: &outputs)
            accept(tasks.count - 1, into: &outputs)
            outputs.append(.note(.found(record.id, record.state, record.outcome)))
        }
    }

    private mutating func persisted(
        _ ticket: PersistTicket, at now: Instant, into outputs: inout [DaemonOutput]
    ) {
        for index in tasks.indices {
            switch tasks[index].phase {
            case .entering(ticket): entered(index, at: now, into: &outputs)
            case .starting(ticket): tasks[index].phase = .waiting
            case .settling(ticket): tasks[index].phase = .resting
            case .leaving(ticket): discard(tasks[index].record, into: &outputs)
            case .running(let lane) where lane.isSaving(ticket):
                withLane(ofTask: tasks[index].record.id, at: now, into: &outputs) {
                    $0.saved(ticket, $1, into: &$2)
                }
            case .entering, .starting, .settling, .running, .waiting, .pausing, .resting, .leaving:
                break
            }
        }
        tasks.removeAll { $0.phase == .leaving(ticket) }
    }

    /// The app is told what could not be kept; what was kept before goes on. Of an end, and of its
    /// being gone, the store is asked until it keeps it.
    private mutating func persistFailed(
        _ ticket: PersistTicket, into outputs: inout [DaemonOutput]
    ) {
        for index in tasks.indices {
            switch tasks[index].phase {
            case .entering(ticket):
                accept(index, into: &outputs)
                finish(index, .failed(.cannotWriteToFile), by: .cancel, into: &outputs)
                // Of a task that the store does not know nothing can come back.
                tasks[index].phase = .resting
            case .starting(ticket):
                finish(index, .failed(.cannotWriteToFile), by: .cancel, into: &outputs)
            case .running(let lane) where lane.isSaving(ticket):
                close(index, into: &outputs)
                finish(index, .failed(.cannotWriteToFile), by: .done, into: &outputs)
            case .entering, .starting, .settling, .running, .waiting, .pausing, .resting, .leaving:
                break
            }
        }
    }

    /// The promise to keep it is given; what was asked meanwhile follows.
    private mutating func entered(
        _ index: Int, at now: Instant, into outputs: inout [DaemonOutput]
    ) {
        accept(index, into: &outputs)
        tasks[index].phase = .resting
        let app = tasks[index].record.id.app
        let early = tasks[index].early
        tasks[index].early = []
        for request in early { take(request, of: app, at: now, into: &outputs) }
    }

    private mutating func accept(_ index: Int, into outputs: inout [DaemonOutput]) {
        guard !tasks[index].isAccepted else { return }
        tasks[index].isAccepted = true
        outputs.append(.note(.accepted(tasks[index].record)))
    }

    // MARK: Where a task stands

    func index(of id: TaskID) -> Int? { tasks.firstIndex { $0.record.id == id } }

    func index(on connection: ConnectionID) -> Int? {
        tasks.firstIndex { $0.lane?.connection == connection }
    }

    /// Moves a task along its table, and says so.
    mutating func move(
        _ index: Int, _ event: TaskState.Event, because: String,
        into outputs: inout [DaemonOutput]
    ) throws(TaskRefusal) {
        let record = tasks[index].record
        countCell(of: record, event)
        let next = try record.state.after(event)
        guard next != record.state else { return }
        tasks[index].record.state = next
        outputs.append(
            .note(
                .moved(
                    record.id, from: record.state, to: next, record.outcome, because: because)))
    }

    mutating func countCell(of record: TaskRecord, _ event: TaskState.Event) {
        guard cells != nil else { return }
        cells?.tasks.count(record.state, event)
        guard event == .done, let client = clients.first(where: { $0.app == record.id.app })
        else { return }
        if let state = TaskAppState(client.stage) { cells?.apps.count(state, .done) }
    }

    private func nextDeadline(after now: Instant) -> Instant? {
        let deadlines = tasks.map { task -> Instant? in
            let end = task.record.state == .running ? task.record.deadline : nil
            let next: Instant? =
                switch task.phase {
                case .waiting:
                    [task.record.notBefore, task.rest].compactMap(\.self).filter { $0 > now }.min()
                case .running(let lane): lane.deadline
                case .pausing(let until): until
                case .entering, .starting, .settling, .resting, .leaving: nil
                }
            return [next, end].compactMap(\.self).min()
        }
        return (deadlines + [store.deadline]).compactMap(\.self).min()
    }
}
