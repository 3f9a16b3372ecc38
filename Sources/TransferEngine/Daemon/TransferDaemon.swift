public import Protocols
public import Quantities

/// The daemon that carries out the tasks of background sessions for all apps of a phone (behaviour
/// B): sans-I/O, with a task table and a store of its own.
///
/// It outlives the apps. Requests and undelivered messages are durable. Only a loss of the phone's
/// power ends its process, and the first input of a start is `.restored`.
public struct TransferDaemon: Sendable {
    var tasks: [DaemonTask] = []
    var clients: [DaemonClient] = []
    var network: NetworkStatus?
    private(set) var hasCharger = false
    /// Whether the host is still telling what it knows from before the start.
    private var isStarting = false
    /// The earlier store, which was damaged.
    var setAside: TaskStoreSetAside?
    var turn: DaemonTurn
    /// The phone's identity, which no other phone has.
    let identity: String
    /// The system's dialect of resumable uploads, if it has one.
    let resumes: ResumableUploadVersion?
    let retryPolicy: RetryPolicy
    /// Reached cells of the state tables, if they are counted.
    package internal(set) var cells: ReachedCells?

    /// How long the system keeps a part that nobody continues.
    static let partTime = TimeSpan.seconds(7 * 24 * 3600)

    /// Makes a daemon. Its connections are numbered after those of its earlier starts.
    public init(
        of identity: String, connectionsBefore: UInt32, resumes: ResumableUploadVersion? = nil
    ) {
        self.identity = identity
        self.resumes = resumes
        turn = DaemonTurn(
            in: DaemonProcess(
                connections: ConnectionTable(after: ConnectionID(connectionsBefore))))
        var policy = RetryPolicy()
        policy.retries = .max
        retryPolicy = policy
    }

    /// Handles one input completely; appends outputs, and returns the next moment at which it wants
    /// `.wake`.
    public mutating func handle(
        _ input: DaemonInput, at now: Instant, into outputs: inout [DaemonOutput]
    ) -> Instant? {
        turn.begin(at: now, with: &outputs)
        if cells != nil { countCells(of: input) }
        take(input)
        // Nothing begins before the phone has told its network (S13), which follows these three.
        switch input {
        case .restored:
            isStarting = true
            turn.end(with: &outputs)
            return tasks.isEmpty ? nextDeadline : now
        case .storeWasSetAside: break
        case .asked(_, .credential) where isStarting: break
        case .asked, .app, .attempt, .persisted, .persistFailed, .network, .charger, .wake:
            isStarting = false
            beginWhatMay()
        }
        deliver()
        wakeApps()
        turn.persistAgain()
        turn.end(with: &outputs)
        return nextDeadline
    }

    private mutating func take(_ input: DaemonInput) {
        switch input {
        case .restored(let records, let delays, let clearings):
            for (app, count) in clearings.enumerated() where count > 0 {
                clients[client(UInt16(app))].restore(installation: count)
            }
            restore(records)
            for delay in delays { clients[client(delay.app)].restore(delay: delay.time) }
        case .storeWasSetAside(let setAside): self.setAside = setAside
        case .asked(let app, let request): take(request, of: app)
        case .app(let app, let stage): appIs(app, stage)
        case .attempt(let event): take(event)
        case .persisted(let ticket): persisted(turn.process.store.kept(ticket, at: turn.now))
        case .persistFailed(let ticket):
            turn.note(.store(.failed(reason: "it did not keep a change")))
            guard let ticket = turn.process.store.refused(ticket, at: turn.now) else { break }
            persistFailed(ticket)
        case .network(let status):
            network = status
            interruptWhereNeeded()
        case .charger(let isConnected):
            hasCharger = isConnected
            interruptWhereNeeded()
        case .wake: wake()
        }
    }

    // MARK: The store

    private mutating func restore(_ records: [TaskRecord]) {
        for record in records {
            guard clients[client(record.id.app)].installation == record.installation else {
                // The power failed before the store had heard that the app was cleared.
                drop(record)
                continue
            }
            // The power failed before the store had heard that another task continues the download.
            if record.isTold, records.contains(where: { $0.continues(record) }) {
                turn.persist(.remove(record.id))
                continue
            }
            if record.isTold {
                tasks.append(DaemonTask(record: record, phase: .resting, isAccepted: true))
                continue
            }
            countCell(of: record, .reboot)
            let phase: DaemonTask.Phase = record.state == .running ? .waiting : .resting
            tasks.append(DaemonTask(record: record, phase: phase))
            // Nothing runs yet after a restart; apps with waiting events are started.
            appIs(record.id.app, .dead)
            accept(tasks.count - 1)
            turn.note(.engine(.found(record.id.name, record.state.stage(record.outcome))))
        }
    }

    private mutating func persisted(
        _ ticket: PersistTicket
    ) {
        for index in tasks.indices {
            switch tasks[index].phase {
            case .entering(ticket): entered(index)
            case .starting(ticket): tasks[index].phase = .waiting
            case .settling(ticket): tasks[index].phase = .resting
            case .leaving(ticket):
                if !tasks[index].isContinued { discard(tasks[index].record) }
            case .running(let lane) where lane.isSaving(ticket):
                withLane(of: index) { lane, transfer, turn in
                    transfer.flatMap { lane.saved(ticket, $0, into: &turn.wanted) }
                }
            case .entering, .starting, .settling, .running, .waiting, .pausing, .resting, .leaving:
                break
            }
        }
        tasks.removeAll { $0.phase == .leaving(ticket) }
    }

    /// Tells the app what could not be kept; an earlier state stays in force. Ends and removals are
    /// retried until the store keeps them.
    private mutating func persistFailed(
        _ ticket: PersistTicket
    ) {
        for index in tasks.indices {
            switch tasks[index].phase {
            case .entering(ticket):
                accept(index)
                finish(index, .failed(.cannotWriteToFile), by: .cancel)
                // The store does not know the task, so that nothing of it can come back.
                tasks[index].phase = .resting
            case .starting(ticket):
                finish(index, .failed(.cannotWriteToFile), by: .cancel)
            case .running(let lane) where lane.isSaving(ticket):
                close(index)
                finish(index, .failed(.cannotWriteToFile), by: .done)
            case .entering, .starting, .settling, .running, .waiting, .pausing, .resting, .leaving:
                break
            }
        }
    }

    /// Continues after the store has a new task: carries out requests that came meanwhile.
    private mutating func entered(
        _ index: Int
    ) {
        accept(index)
        tasks[index].phase = .resting
        let record = tasks[index].record
        let early = tasks[index].early
        tasks[index].early = []
        if let part = tasks.firstIndex(where: { $0.isPart && record.continues($0.record) }) {
            tasks[part].isContinued = true
            keep(.remove(tasks[part].record.id), of: part)
        }
        for request in early { take(request, of: record.id.app) }
    }

    private mutating func accept(_ index: Int) {
        guard !tasks[index].isAccepted else { return }
        tasks[index].isAccepted = true
        let record = tasks[index].record
        let accepted = AcceptedTransfer(
            transfer: record.transfer.id.name,
            source: record.isDownload ? record.request.object : record.transfer.source,
            destination: record.isDownload ? "" : record.request.object,
            isDownload: record.isDownload)
        turn.note(.engine(.accepts(record.id.name, index: nil, [accepted])))
        if record.isDownload, !record.asksForObject {
            turn.note(.engine(.asksForOther(record.transfer.id.name)))
        }
        guard !record.allLimits.isEmpty else { return }
        turn.note(.engine(.isLimited(record.id.name, record.allLimits)))
    }

    // MARK: Where a task stands

    func index(of id: TaskID) -> Int? { tasks.firstIndex { $0.record.id == id } }

    /// Moves a task along its table, and notes it.
    mutating func move(
        _ index: Int, _ event: TaskState.Event, because: String
    ) throws(TaskRefusal) {
        let record = tasks[index].record
        countCell(of: record, event)
        let next = try record.state.after(event)
        guard next != record.state else { return }
        tasks[index].record.state = next
        turn.note(
            .engine(
                .moves(
                    record.id.name, from: record.state.stage(nil),
                    to: next.stage(record.outcome), because: because)))
    }

    mutating func countCell(of record: TaskRecord, _ event: TaskState.Event) {
        guard cells != nil else { return }
        cells?.tasks.count(record.state, event)
        guard event == .done, let client = clients.first(where: { $0.app == record.id.app })
        else { return }
        if let state = TaskAppState(client.stage) { cells?.apps.count(state, .done) }
    }

    private var nextDeadline: Instant? {
        var deadline = turn.process.store.deadline
        for index in tasks.indices {
            if tasks[index].record.state == .running {
                deadline.advance(to: tasks[index].record.deadline)
            }
            switch tasks[index].phase {
            case .waiting:
                for end in [tasks[index].record.notBefore, tasks[index].rest] {
                    if let end, end > turn.now { deadline.advance(to: end) }
                }
            case .running(let lane): deadline.advance(to: lane.deadline)
            case .pausing(let until): deadline.advance(to: until)
            case .entering, .starting, .settling, .resting, .leaving: break
            }
        }
        return deadline
    }

    /// Whether a task waits for a network, a delay or a charger. Comparing its phase would copy it,
    /// and its lane, for each packet.
    func isWaiting(_ index: Int) -> Bool {
        if case .waiting = tasks[index].phase { true } else { false }
    }
}

/// State that the parts of the daemon share.
struct DaemonProcess: TurningProcess {
    var store = StoreLedger<TaskChange>()
    var connections: ConnectionTable

    static func output(_ wanted: AttemptOutput) -> DaemonOutput { .attempt(wanted) }

    static func output(_ ticket: PersistTicket, _ change: TaskChange) -> DaemonOutput {
        .persist(ticket, change)
    }
}

typealias DaemonTurn = ProcessTurn<DaemonProcess>

extension ProcessTurn<DaemonProcess> {
    mutating func note(_ fact: Fact) { want(.note(Note(fact))) }
}
