public import Quantities
import Synchronization
public import TransferEngine

/// The transfer queue that an app programs against (behaviour A), in either world.
///
/// Passes the app's commands to the engine through a host, and the engine's callbacks to the
/// delegate. Sessions run in the order they were enqueued, while the queue is started. Every method
/// may be called from any thread (A14); the host calls the delegate on a thread of its own.
public final class TransferQueue: Sendable {
    private let host: any CommandDoor
    private let known = Mutex(Known())
    private let streams = EventStreams<QueueEvent>()
    private let requesters = Requesters()

    /// What the app has been told so far, and its listener.
    private struct Known {
        var listener = Listener()
        /// Waits for a delegate that can be told.
        var setAside: StoreSetAside?
        var sessions: [SessionID] = []
        var standings: [SessionID: SessionStanding] = [:]
        var mode = QueueMode.stopped
        var isDemarcating = true
        var saved = SavedItems()
    }

    /// Only the reference crosses threads. The host alone calls the delegate.
    private struct Listener: @unchecked Sendable {
        weak var delegate: (any TransferQueueDelegate)?
    }

    public init(host: any CommandDoor) { self.host = host }

    public var delegate: (any TransferQueueDelegate)? {
        get { known.withLock { $0.listener }.delegate }
        set {
            let listener = Listener(delegate: newValue)
            known.withLock { $0.listener = listener }
            tellOfSetAside()
        }
    }

    /// Returns what the delegate hears from now on, as a sequence: an app reads it in a task, on
    /// the main actor or any other. Each call returns another sequence, for another reader. A
    /// reader who is slow finds all of it later, unless the policy drops events.
    public func events(
        bufferingPolicy policy: AsyncStream<QueueEvent>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<QueueEvent> {
        let stream = streams.open(policy)
        tellOfSetAside()
        return stream
    }

    /// All sessions, in the order of a table's rows, as far as the app has been told.
    public var sessions: [SessionID] { known.withLock { $0.sessions } }

    /// Returns how a session of the queue stands, as far as the app has been told: after a launch,
    /// and from within each callback about it, that is how it is.
    public func standing(of session: SessionID) -> SessionStanding? {
        known.withLock { $0.standings[session] }
    }

    /// How all sessions stand, in the order of a table's rows.
    public var standings: [SessionStanding] {
        known.withLock { known in known.sessions.compactMap { known.standings[$0] } }
    }

    // MARK: The queue

    /// Whether the queue runs, as far as the app has been told.
    public var mode: QueueMode { known.withLock { $0.mode } }

    /// Starts the queue. The running state is not kept: the app calls this again after each launch
    /// (A11).
    public func start() { submit(.start) }

    /// Whether the transfers are declared to the system as background tasks, so that they continue
    /// for a while when the app is not in front (A11). It is `true` at each launch; a host that was
    /// made without background time asks for none until the app sets this.
    public var backgroundTaskDemarcationEnabled: Bool {
        get { known.withLock { $0.isDemarcating } }
        set {
            known.withLock { $0.isDemarcating = newValue }
            submit(.demarcate(newValue))
        }
    }

    /// Stops the active session, then the queue. A stopped queue does nothing at all (A8, A19).
    public func stop() { submit(.stop) }

    // MARK: Its sessions

    /// Hands over a session; the engine makes it durable before it runs.
    public func enqueue(_ session: SessionRequest) { submit(.enqueue(session)) }

    /// Enqueues a session that the app has worked on, saved or not (A9).
    public func enqueue(_ session: TransferSession) { session.enqueue(at: nil) }

    /// Inserts a session that the app has worked on before the session at this index.
    public func insert(_ session: TransferSession, at index: Int) { session.enqueue(at: index) }

    /// Enqueues a saved session by its identifier, which may come from another thread (A14).
    public func enqueue(_ session: SessionID) {
        submit(.enqueueSaved(session, at: nil))
    }

    /// Inserts a session before the session at this index.
    public func insert(_ session: SessionRequest, at index: Int) {
        submit(.insert(session, at: index))
    }

    /// Moves a session to another place in the running order.
    public func move(_ session: SessionID, to index: Int) { submit(.move(session, to: index)) }

    /// Runs a session now. The active session stops, and runs again afterwards (A7).
    public func run(_ session: SessionID) { submit(.session(.run, session)) }

    /// Cancels a session. It stays in the queue, which does not run it again by itself (A4).
    public func cancel(_ session: SessionID) { submit(.session(.cancel, session)) }

    /// Stops a session. The queue runs it again after all waiting sessions (A5).
    public func stop(_ session: SessionID) { submit(.session(.stop, session)) }

    /// Pauses a session. It stays active until it is resumed, and so blocks all others (A6).
    public func pause(_ session: SessionID) { submit(.session(.pause, session)) }

    /// Resumes a paused session.
    public func resume(_ session: SessionID) { submit(.session(.resume, session)) }

    /// Deletes a session. Refused while the session is active (A10).
    public func remove(_ session: SessionID) { submit(.session(.remove, session)) }

    /// Changes a session's settings from its next turn on. While the session is active, only its
    /// rates can change, and what it sends over the paced transport follows at once (A15).
    public func change(_ session: SessionID, to settings: TransferSettings) {
        submit(.change(settings, of: session))
    }

    /// Adds a path to a persistent session that can accept paths (P2): a file of the app and its
    /// destination below the docroot, or the other way round to download. A path in the app may be
    /// absolute within its container.
    public func addPath(
        from source: String, to destination: String, toPersistent session: SessionID
    ) {
        let path = SessionRequest.File(source: source, destination: destination)
        submit(.addPath(path.fromOrTo(container), to: session))
    }

    // MARK: By the row of a table

    // The app means the row that it has been told of: it is looked up here and now, so that a
    // change on its way cannot put another session there.

    /// Moves the session in this row.
    public func moveSession(from row: Int, to index: Int) {
        inRow(row) { move($0, to: index) }
    }

    /// Runs the session in this row.
    public func runSession(at row: Int) { inRow(row, run) }

    /// Cancels the session in this row.
    public func cancelSession(at row: Int) { inRow(row, cancel) }

    /// Stops the session in this row.
    public func stopSession(at row: Int) { inRow(row, stop) }

    /// Pauses the session in this row.
    public func pauseSession(at row: Int) { inRow(row, pause) }

    /// Resumes the session in this row.
    public func resumeSession(at row: Int) { inRow(row, resume) }

    /// Removes the session in this row.
    public func removeSession(at row: Int) { inRow(row, remove) }

    /// Changes the settings of the session in this row.
    public func changeSettings(_ settings: TransferSettings, ofSessionAt row: Int) {
        inRow(row) { change($0, to: settings) }
    }

    private func inRow(_ row: Int, _ deed: (SessionID) -> Void) {
        let sessions = sessions
        guard sessions.indices.contains(row) else {
            return submit(.refuse(.noSuchIndex(row, count: sessions.count)))
        }
        deed(sessions[row])
    }

    // MARK: What is saved

    /// All saved accounts, ordered by number.
    public var accounts: [AccountRecord] { known.withLock { $0.saved.accounts } }

    /// The saved sessions that are in no queue, ordered by number.
    public var savedSessions: [SessionRecord] { known.withLock { $0.saved.sessions } }

    /// Returns a copy of an account to work on, for the calling thread only (A14).
    public func account(_ id: AccountID) -> TransferAccount? {
        accounts.first { $0.id == id }.map { TransferAccount($0, in: self) }
    }

    /// Returns a copy of a saved session to work on, for the calling thread only (A14).
    public func savedSession(_ id: SessionID) -> TransferSession? {
        savedSessions.first { $0.id == id }.map { TransferSession($0, in: self) }
    }

    func nextDraft() -> DraftID { known.withLock { $0.saved.nextDraft() } }

    func session(of draft: DraftID) -> SessionID? { known.withLock { $0.saved.names[draft] } }

    /// Hands a command to the engine. `hear` is called once, with what came of it.
    func submit(_ command: QueueCommand, _ hear: (@Sendable (QueueAnswer) -> Void)? = nil) {
        guard let request = requesters.admit(hear) else { return }
        host.submit(.queue(command, request))
    }

    /// The container to which the app's paths are relative.
    package var container: String { host.container }

    // MARK: What the host tells

    /// Called by the host at a launch, with the sessions of the queue in order.
    public func deliver(_ held: [SessionStanding]) {
        known.withLock { known in
            known.sessions = held.map(\.id)
            known.standings = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) })
        }
    }

    /// Called by the host for each change of a session, before the callbacks about it.
    public func deliver(_ standing: SessionStanding) {
        known.withLock { $0.standings[standing.id] = standing }
    }

    /// Called by the host, on its queue, when the queue has started or stopped.
    public func deliver(_ mode: QueueMode) {
        known.withLock { $0.mode = mode }
        tell(mode == .running ? .didStart : .didStop)
    }

    /// Called by the host for each change of an account or a saved session.
    public func deliver(_ news: SavedNews) {
        known.withLock { $0.saved.follow(news) }
        if let event = QueueEvent(news) { tell(event) }
    }

    /// Called by the host for each answer to a request.
    public func deliver(_ answer: QueueAnswer, to request: RequestID) {
        requesters.answer(request, answer)
    }

    /// Called by the host, on its queue, when it carries out nothing more. Refuses all who wait,
    /// and ends the sequences of events.
    public func hostHasEnded() {
        requesters.end()
        streams.end()
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: QueueRefusal) { tell(.didRefuse(refusal)) }

    private func tell(_ event: QueueEvent) {
        delegate?.hear(event)
        streams.tell(event)
    }

    /// Called by the host, on its queue, when the store was damaged. Repeated at every launch until
    /// a delegate or a reader has heard of it.
    public func deliver(_ setAside: StoreSetAside) {
        known.withLock { $0.setAside = setAside }
        tellOfSetAside()
    }

    private func tellOfSetAside() {
        guard delegate != nil || !streams.isEmpty else { return }
        let setAside = known.withLock { known in
            defer { known.setAside = nil }
            return known.setAside
        }
        guard let setAside else { return }
        tell(.storeWasSetAside(setAside))
        submit(.heardOfSetAside)
    }

    /// Called by the host, on its queue, for each callback of the engine.
    public func deliver(_ callback: SessionCallback, for session: SessionID) {
        if case .row(let change) = callback { follow(change, of: session) }
        tell(.session(session, callback))
    }

    private func follow(_ change: RowChange, of session: SessionID) {
        known.withLock { known in
            switch change {
            case .inserted(let index): known.sessions.insert(session, at: index)
            case .removed(let index):
                known.sessions.remove(at: index)
                known.standings[session] = nil
            case .moved(let from, let to):
                known.sessions.insert(known.sessions.remove(at: from), at: to)
            case .updated: break
            }
        }
    }
}

/// The process that runs the engine. Takes the app's commands from any thread.
public protocol CommandDoor: AnyObject, Sendable {
    /// The absolute path of the app's container, without a slash at its end. It may be another one
    /// at each launch (S7).
    var container: String { get }

    func submit(_ command: Command)

    /// Keeps a secret, in the place of an earlier one. The engine learns that there is one.
    func keep(_ secret: Secret, as handle: CredentialHandle)
}

/// Receives the callbacks of the queue. Every method is optional (A12).
public protocol TransferQueueDelegate: AnyObject {
    /// The store was damaged and has been replaced. The app has to enqueue again what is lost.
    func storeWasSetAside(_ setAside: StoreSetAside)
    func queueDidStart()
    /// The queue stands: its active session, if it had one, has ended (A8).
    func queueDidStop()
    func willActivate(_ session: SessionID)
    func didActivate(_ session: SessionID)
    func willStartRunning(_ session: SessionID)
    func didStartRunning(_ session: SessionID)
    /// Paths may be added to a persistent session until it stops running.
    func canAcceptPaths(_ session: SessionID)
    func didStartTransferringFile(_ name: String, of session: SessionID)
    func didProgress(_ session: SessionID, file: String, done: ByteCount, total: ByteCount)
    /// Called beside each progress of a file, for all files of the session. A persistent session
    /// has no set of files, and so no progress of its own.
    func didProgress(_ session: SessionID, _ progress: SessionProgress)
    func didStopTransferringFile(_ name: String, of session: SessionID)
    func willStopRunning(_ session: SessionID)
    func didStopRunning(_ session: SessionID)
    func willDeactivate(_ session: SessionID)
    func didDeactivate(_ session: SessionID, with result: SessionResult)

    // Rows of a table of all sessions.
    func didInsertSession(at index: Int)
    func didRemoveSession(at index: Int)
    func didMoveSession(from: Int, to: Int)
    func didUpdateSession(at index: Int)

    // Saved accounts and sessions.
    func didSave(_ account: AccountID)
    func didDelete(_ account: AccountID)
    func didSave(_ session: SessionID)
    func didDelete(_ session: SessionID)

    /// A command was refused. Nothing has changed.
    func didRefuse(_ refusal: QueueRefusal)
}

extension TransferQueueDelegate {
    public func storeWasSetAside(_ setAside: StoreSetAside) {}
    public func queueDidStart() {}
    public func queueDidStop() {}
    public func willActivate(_ session: SessionID) {}
    public func didActivate(_ session: SessionID) {}
    public func willStartRunning(_ session: SessionID) {}
    public func didStartRunning(_ session: SessionID) {}
    public func canAcceptPaths(_ session: SessionID) {}
    public func didStartTransferringFile(_ name: String, of session: SessionID) {}
    public func didProgress(
        _ session: SessionID, file: String, done: ByteCount, total: ByteCount
    ) {}
    public func didProgress(_ session: SessionID, _ progress: SessionProgress) {}
    public func didStopTransferringFile(_ name: String, of session: SessionID) {}
    public func willStopRunning(_ session: SessionID) {}
    public func didStopRunning(_ session: SessionID) {}
    public func willDeactivate(_ session: SessionID) {}
    public func didDeactivate(_ session: SessionID, with result: SessionResult) {}
    public func didInsertSession(at index: Int) {}
    public func didRemoveSession(at index: Int) {}
    public func didMoveSession(from: Int, to: Int) {}
    public func didUpdateSession(at index: Int) {}
    public func didSave(_ account: AccountID) {}
    public func didDelete(_ account: AccountID) {}
    public func didSave(_ session: SessionID) {}
    public func didDelete(_ session: SessionID) {}
    public func didRefuse(_ refusal: QueueRefusal) {}
}
