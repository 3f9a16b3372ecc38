package import Quantities

/// The queue engine: sans-I/O, one session at a time, every promise durable before it is spoken.
///
/// Drive it with `handle(_:at:into:)` alone: the first input of a launch is `.restored`, each call
/// is one mutation and one complete drain, and its result is the next moment at which it wants
/// `.wake`.
package struct TransferEngine: Sendable {
    var sessions: [SessionRecord] = []
    var isRestored = false
    var isQueueRunning = false
    var active: ActiveSession?
    var background: BackgroundWork
    /// What the device says of its network, if it says anything.
    var network: NetworkStatus?
    /// The session that waits for another network, as it was said last.
    var notedWait: NetworkWait?
    /// The store has refused what it was asked to keep of the session last.
    var isStoreBehind = false
    private let retryPolicy: RetryPolicy
    private var lastTicket = PersistTicket(0)
    private var lastConnection = ConnectionID(0)
    private var lastSession: UInt64 = 0
    private var lastTransfer: UInt64 = 0
    /// Handed to the store, not yet promised by it: no part of the queue so far.
    private var entering: [(ticket: PersistTicket, record: SessionRecord)] = []

    /// The path under which the server takes uploads.
    static let collection = "/tus"
    /// Bytes handed to a connection ahead of what it has taken: enough to keep it busy, little
    /// enough that an edit of the source is not read long before it is sent.
    static let writeAhead = ByteCount(256 * 1024)
    /// Without any sign of life for so long, a connection is given up (error 40).
    package static let stallLimit = TimeSpan.seconds(60)

    /// `asksForBackgroundTime` is A11's switch.
    package init(
        retryPolicy: RetryPolicy = RetryPolicy(), asksForBackgroundTime: Bool = true
    ) {
        self.retryPolicy = retryPolicy
        background = BackgroundWork(asksForTime: asksForBackgroundTime)
    }

    /// Takes one input to its end; outputs are appended in the order in which they must be carried
    /// out.
    package mutating func handle(
        _ input: EngineInput, at now: Instant, into outputs: inout [EngineOutput]
    ) -> Instant? {
        switch input {
        case .restored(let records): restore(records, into: &outputs)
        case .command(.enqueue(let request)): enqueue(request, into: &outputs)
        case .command(.start): start(into: &outputs)
        case .persisted(let ticket):
            if !enter(ticket, into: &outputs) { isStoreBehind = false }
            persisted(ticket, at: now, into: &outputs)
        case .persistFailed(let ticket, let reason):
            if !refuse(ticket, reason: reason, into: &outputs) { isStoreBehind = true }
            persistFailed(ticket, reason: reason, at: now, into: &outputs)
        case .inspected(let transfer, let inspection):
            inspected(transfer, inspection, at: now, into: &outputs)
        case .connected(let id): connected(id, at: now, into: &outputs)
        case .received(let id, let segments): received(segments, on: id, at: now, into: &outputs)
        case .taken(let id, let count): taken(count, on: id, at: now, into: &outputs)
        case .disconnected(let id, let why): disconnected(id, why, at: now, into: &outputs)
        case .enteredBackground: background.leaveFront()
        case .enteredForeground: background.comeBack(into: &outputs)
        case .backgroundTimeExpires(let task): timeIsUp(for: task, into: &outputs)
        case .unreadable(let id): unreadable(id, at: now, into: &outputs)
        case .network(let status): changeNetwork(to: status, at: now, into: &outputs)
        case .wake: wake(at: now, into: &outputs)
        }
        activateNext(at: now, into: &outputs)
        if network != nil { noteWaiting(into: &outputs) }
        background.balance(hasWork: hasWork, into: &outputs)
        return nextDeadline
    }

    // MARK: Commands

    private mutating func restore(_ records: [SessionRecord], into outputs: inout [EngineOutput]) {
        precondition(!isRestored, "a launch restores once")
        isRestored = true
        sessions = records
        lastSession = records.map(\.id.number).max() ?? 0
        lastTransfer = records.flatMap(\.transfers).map(\.id.number).max() ?? 0
        for index in sessions.indices {
            if sessions[index].neverRan { accept(index, into: &outputs) }
            move(index, .relaunch, because: "the app was launched again", into: &outputs)
        }
    }

    private mutating func enqueue(_ request: SessionRequest, into outputs: inout [EngineOutput]) {
        precondition(isRestored, "an engine takes commands after `.restored`")
        if let refusal = Self.refusal(of: request) {
            outputs.append(.note(.refused(refusal)))
            return
        }
        lastSession += 1
        let transfers = request.uploads.map { file in
            lastTransfer += 1
            return TransferRecord(
                id: TransferID(lastTransfer), source: file.source, destination: file.destination)
        }
        let record = SessionRecord(
            id: SessionID(lastSession), account: request.account, state: .waiting, failures: 0,
            transfers: transfers, limits: request.limits)
        entering.append((persist(record, into: &outputs), record))
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

    private mutating func start(into outputs: inout [EngineOutput]) {
        precondition(isRestored, "an engine takes commands after `.restored`")
        guard !isQueueRunning else { return }
        isQueueRunning = true
        outputs.append(.note(.queueStarted))
    }

    /// A18, A13: what a session must have before the queue takes it.
    private static func refusal(of request: SessionRequest) -> QueueRefusal? {
        if request.account.host.isEmpty { return .accountWithoutHost }
        if request.account.credentials.name.isEmpty { return .accountWithoutCredentials }
        if request.uploads.isEmpty { return .noFiles }
        for file in request.uploads {
            if !ContainerPath.isInside(file.source) { return .sourceOutsideContainer(file.source) }
            if !ContainerPath.isInside(file.destination) {
                return .destinationOutsideDocroot(file.destination)
            }
        }
        return nil
    }

    /// Something would stand still if the app did.
    private var hasWork: Bool {
        active != nil || !entering.isEmpty
            || isQueueRunning && !background.isTimeUp
                && sessions.contains { $0.state == .waiting }
    }

    // MARK: What the other files of the engine build on

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

    @discardableResult
    mutating func persist(_ index: Int, into outputs: inout [EngineOutput]) -> PersistTicket {
        persist(sessions[index], into: &outputs)
    }

    private mutating func persist(
        _ record: SessionRecord, into outputs: inout [EngineOutput]
    ) -> PersistTicket {
        lastTicket = PersistTicket(lastTicket.number + 1)
        outputs.append(.persist(lastTicket, .put(record)))
        return lastTicket
    }

    mutating func nextConnection() -> ConnectionID {
        lastConnection = ConnectionID(lastConnection.number + 1)
        return lastConnection
    }

    func pause(afterFailures failures: Int) -> TimeSpan? {
        retryPolicy.pause(afterFailures: failures)
    }

    private var nextDeadline: Instant? {
        guard let active else { return nil }
        if case .pausing(let until) = active.phase { return until }
        return active.connection.map { $0.lastActivity + Self.stallLimit }
    }
}
