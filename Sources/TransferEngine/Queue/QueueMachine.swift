import Quantities

/// The transfer queue (behaviour A): its sessions in their order, and the one whose turn it is.
struct QueueMachine: Sendable {
    var sessions: [SessionRecord] = []
    var isRunning = false
    var active: ActiveSession?
    /// The session that waits for another network, as it was said last.
    var notedWait: NetworkWait?
    /// The store has refused what it was asked to keep of the session last.
    var isStoreBehind = false
    let retryPolicy: RetryPolicy
    private var lastSession: UInt64 = 0
    /// Handed to the store, not yet promised by it: no part of the queue so far.
    private var entering: [(ticket: PersistTicket, record: SessionRecord)] = []

    init(retryPolicy: RetryPolicy) { self.retryPolicy = retryPolicy }

    // MARK: Commands

    mutating func restore(_ records: [SessionRecord], into outputs: inout [EngineOutput]) {
        sessions = records
        lastSession = records.map(\.id.number).max() ?? 0
        for index in sessions.indices {
            if sessions[index].neverRan { accept(index, into: &outputs) }
            move(index, .relaunch, because: "the app was launched again", into: &outputs)
        }
    }

    /// Numbers of sessions that were lost with a damaged store: somebody may know them by these.
    mutating func skip(_ lost: [SessionID]) {
        lastSession = max(lastSession, lost.map(\.number).max() ?? 0)
    }

    mutating func enqueue(
        _ request: SessionRequest, in process: inout ProcessState,
        into outputs: inout [EngineOutput]
    ) {
        if let refusal = request.refusal {
            outputs.append(.note(.refused(refusal)))
            return
        }
        lastSession += 1
        let transfers = request.uploads.map { file in
            TransferRecord(
                id: process.nextTransfer(), source: file.source, destination: file.destination)
        }
        let record = SessionRecord(
            id: SessionID(lastSession), account: request.account, state: .waiting, failures: 0,
            transfers: transfers, limits: request.limits)
        entering.append((process.persist(.put(record), into: &outputs), record))
    }

    mutating func start(into outputs: inout [EngineOutput]) {
        guard !isRunning else { return }
        isRunning = true
        outputs.append(.note(.queueStarted))
    }

    // MARK: The store's answers

    mutating func persisted(
        _ ticket: PersistTicket, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        if enter(ticket, into: &outputs) { return }
        isStoreBehind = false
        guard let current = active else { return }
        switch current.phase {
        case .running:
            withLane(in: &process, at: now, into: &outputs) { lane, transfer, outputs in
                guard let transfer else { return nil }
                return lane.saved(ticket, transfer, into: &outputs)
            }
        case .settling(ticket, let result): deactivate(current.id, result, into: &outputs)
        case .settling, .pausing, .waitingForNetwork: break
        }
    }

    mutating func persistFailed(
        _ ticket: PersistTicket, reason: String, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let isNew = refuse(ticket, reason: reason, into: &outputs)
        if !isNew { isStoreBehind = true }
        outputs.append(.note(.storeFailed(reason: reason)))
        guard let current = active else { return }
        switch current.phase {
        case .running(let lane) where lane.isSaving(ticket):
            fail(.diskWrite, in: &process, at: now, into: &outputs)
        // What is done is done: the app hears it even if the store cannot keep it.
        case .settling(ticket, let result): deactivate(current.id, result, into: &outputs)
        case .running, .settling, .pausing, .waitingForNetwork: break
        }
    }

    /// A9: a session is in the queue once it is durable; an app that is killed before that adds it
    /// again. Whether the ticket is that of such a session.
    private mutating func enter(
        _ ticket: PersistTicket, into outputs: inout [EngineOutput]
    ) -> Bool {
        guard let place = entering.firstIndex(where: { $0.ticket == ticket }) else { return false }
        sessions.append(entering.remove(at: place).record)
        accept(sessions.count - 1, into: &outputs)
        return true
    }

    private mutating func refuse(
        _ ticket: PersistTicket, reason: String, into outputs: inout [EngineOutput]
    ) -> Bool {
        guard let place = entering.firstIndex(where: { $0.ticket == ticket }) else { return false }
        entering.remove(at: place)
        outputs.append(.note(.refused(.notStored(reason))))
        return true
    }

    private func accept(_ index: Int, into outputs: inout [EngineOutput]) {
        let record = sessions[index]
        outputs.append(.note(.accepted(record.id, index: index, record.transfers)))
        guard !record.limits.isEmpty else { return }
        outputs.append(.note(.isLimited(record.id, record.limits)))
    }

    // MARK: What the other files of the queue build on

    /// Moves a session along its state table, and says so.
    mutating func move(
        _ index: Int, _ event: SessionState.Event, because: String,
        into outputs: inout [EngineOutput]
    ) {
        let from = sessions[index].state
        let to = from.after(event)
        guard from != to else { return }
        sessions[index].state = to
        outputs.append(.note(.moved(sessions[index].id, from: from, to: to, because: because)))
    }

    /// Something would stand still if the app did.
    func hasWork(_ background: BackgroundWork) -> Bool {
        active != nil || !entering.isEmpty
            || isRunning && !background.isTimeUp && sessions.contains { $0.state == .waiting }
    }

    var nextDeadline: Instant? {
        switch active?.phase {
        case .pausing(let until): until
        case .running(let lane): lane.deadline
        case .waitingForNetwork, .settling, nil: nil
        }
    }
}

extension SessionRequest {
    /// A18, A13: what a session must have before the queue takes it.
    fileprivate var refusal: QueueRefusal? {
        if account.host.isEmpty { return .accountWithoutHost }
        if account.credentials.name.isEmpty { return .accountWithoutCredentials }
        if uploads.isEmpty { return .noFiles }
        for file in uploads {
            if !ContainerPath.isInside(file.source) { return .sourceOutsideContainer(file.source) }
            if !ContainerPath.isInside(file.destination) {
                return .destinationOutsideDocroot(file.destination)
            }
        }
        return nil
    }
}
