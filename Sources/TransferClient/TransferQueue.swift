public import Quantities
import Synchronization
public import TransferEngine

/// The transfer queue as an app programs against it (behaviour A), in either world.
///
/// It forwards what the app asks to the engine through a host, and brings the engine's callbacks to
/// the delegate. Sessions run in the order they were enqueued, while the queue is started. All of
/// it may be used from any thread (A14); the host calls the delegate on its own.
public final class TransferQueue: Sendable {
    private let host: any TransferHost
    private let known = Mutex(Known())

    /// What the app has been told of, and who hears of more.
    private struct Known {
        var listener = Listener()
        /// Nobody has heard of it yet.
        var setAside: StoreSetAside?
        var sessions: [SessionID] = []
        var saved = SavedItems()
    }

    /// Only the reference is passed between threads; who is behind it is called by the host alone.
    private struct Listener: @unchecked Sendable {
        weak var delegate: (any TransferQueueDelegate)?
    }

    public init(host: any TransferHost) { self.host = host }

    public var delegate: (any TransferQueueDelegate)? {
        get { known.withLock { $0.listener }.delegate }
        set {
            let listener = Listener(delegate: newValue)
            known.withLock { $0.listener = listener }
            tellOfSetAside()
        }
    }

    /// The rows of a table of all sessions, as far as the app has been told of them.
    public var sessions: [SessionID] { known.withLock { $0.sessions } }

    // MARK: The queue

    /// Lets the queue run. Running mode is not kept: after a launch the app calls this again (A11).
    public func start() { submit(.start) }

    /// First the active session is stopped; a queue that stands does nothing at all (A8, A19).
    public func stop() { submit(.stop) }

    // MARK: Its sessions

    /// Hands over a session; the engine makes it durable before it runs.
    public func enqueue(_ session: SessionRequest) { submit(.enqueue(session)) }

    /// The same of a session that the app has worked on, saved or not (A9).
    public func enqueue(_ session: TransferSession) { session.enqueue(at: nil) }

    /// The same, in front of the session that has this index.
    public func insert(_ session: TransferSession, at index: Int) { session.enqueue(at: index) }

    /// One that is saved, by its number: from another thread than the one it was made on (A14).
    public func enqueue(_ session: SessionID) {
        submit(.enqueueSaved(session, at: nil))
    }

    /// The same, in front of the session that has this index.
    public func insert(_ session: SessionRequest, at index: Int) {
        submit(.insert(session, at: index))
    }

    /// To another place in the order in which sessions run.
    public func moveSession(from: Int, to: Int) { submit(.move(from: from, to: to)) }

    /// Runs it now: what is active stops, and comes back afterwards (A7).
    public func runSession(at index: Int) { submit(.session(.run, at: index)) }

    /// Ends it; it stays in the queue, which does not run it again by itself (A4).
    public func cancelSession(at index: Int) { submit(.session(.cancel, at: index)) }

    /// Ends it; the queue runs it again when all that wait have had their turn (A5).
    public func stopSession(at index: Int) { submit(.session(.stop, at: index)) }

    /// Leaves it active, and with that in the way of all others, until it is resumed (A6).
    public func pauseSession(at index: Int) { submit(.session(.pause, at: index)) }

    /// Lets one that is paused go on.
    public func resumeSession(at index: Int) { submit(.session(.resume, at: index)) }

    /// Deletes it; one that is active is refused (A10).
    public func removeSession(at index: Int) { submit(.session(.remove, at: index)) }

    /// How its files go from its next turn on; of one that is active that is refused (A15).
    public func changeSettings(_ settings: TransferSettings, ofSessionAt index: Int) {
        submit(.change(settings, at: index))
    }

    /// To a persistent session that has said that it can accept paths (P2): a file of the app, and
    /// where it goes below the docroot.
    public func addPathToPersistentSession(
        from source: String, to destination: String, at index: Int
    ) {
        let path = SessionRequest.File(source: source, destination: destination)
        submit(.addPath(path, at: index))
    }

    // MARK: What is saved

    /// All accounts, in the order of their numbers, as they are kept.
    public var accounts: [AccountRecord] { known.withLock { $0.saved.accounts } }

    /// The sessions that are saved and in no queue, in the order of their numbers.
    public var savedSessions: [SessionRecord] { known.withLock { $0.saved.sessions } }

    /// To work on, on the thread that asks for it (A14).
    public func account(_ id: AccountID) -> TransferAccount? {
        accounts.first { $0.id == id }.map { TransferAccount($0, in: self) }
    }

    /// The same of a session that is saved.
    public func savedSession(_ id: SessionID) -> TransferSession? {
        savedSessions.first { $0.id == id }.map { TransferSession($0, in: self) }
    }

    func nextDraft() -> DraftID { known.withLock { $0.saved.nextDraft() } }

    func session(of draft: DraftID) -> SessionID? { known.withLock { $0.saved.names[draft] } }

    func submit(_ command: QueueCommand) { host.submit(.queue(command)) }

    // MARK: What the host tells

    /// Called at a launch: what the queue holds, in its order.
    public func deliver(_ sessions: [SessionID]) { known.withLock { $0.sessions = sessions } }

    /// Called for what becomes of accounts and of saved sessions.
    public func deliver(_ news: SavedNews) {
        known.withLock { $0.saved.follow(news) }
        switch news {
        case .holds, .enqueued: break
        case .account(let record): delegate?.didSave(record.id)
        case .accountDeleted(let id): delegate?.didDelete(id)
        case .session(let record, _): delegate?.didSave(record.id)
        case .sessionDeleted(let id): delegate?.didDelete(id)
        }
    }

    /// Called for what the engine refuses: nothing has changed.
    public func deliver(_ refusal: QueueRefusal) { delegate?.didRefuse(refusal) }

    /// Called by the host, on its queue: the store was damaged. It is told at every launch until
    /// there is a delegate to hear it.
    public func deliver(_ setAside: StoreSetAside) {
        known.withLock { $0.setAside = setAside }
        tellOfSetAside()
    }

    private func tellOfSetAside() {
        guard let delegate else { return }
        let setAside = known.withLock { known in
            defer { known.setAside = nil }
            return known.setAside
        }
        guard let setAside else { return }
        delegate.storeWasSetAside(setAside)
        submit(.heardOfSetAside)
    }

    /// Called by the host, on its queue, for each callback of the engine.
    public func deliver(_ callback: SessionCallback, for session: SessionID) {
        if case .row(let change) = callback { follow(change, of: session) }
        guard let delegate else { return }
        switch callback {
        case .willActivate: delegate.willActivate(session)
        case .didActivate: delegate.didActivate(session)
        case .willStartRunning: delegate.willStartRunning(session)
        case .didStartRunning: delegate.didStartRunning(session)
        case .canAcceptPaths: delegate.canAcceptPaths(session)
        case .didStartFile(let name): delegate.didStartTransferringFile(name, of: session)
        case .progress(let name, let done, let total):
            delegate.didProgress(session, file: name, done: done, total: total)
        case .didStopFile(let name): delegate.didStopTransferringFile(name, of: session)
        case .willStopRunning: delegate.willStopRunning(session)
        case .didStopRunning: delegate.didStopRunning(session)
        case .willDeactivate: delegate.willDeactivate(session)
        case .didDeactivate(let result): delegate.didDeactivate(session, with: result)
        case .row(.inserted(let index)): delegate.didInsertSession(at: index)
        case .row(.removed(let index)): delegate.didRemoveSession(at: index)
        case .row(.moved(let from, let to)): delegate.didMoveSession(from: from, to: to)
        case .row(.updated(let index)): delegate.didUpdateSession(at: index)
        }
    }

    private func follow(_ change: RowChange, of session: SessionID) {
        known.withLock { known in
            switch change {
            case .inserted(let index): known.sessions.insert(session, at: index)
            case .removed(let index): known.sessions.remove(at: index)
            case .moved(let from, let to):
                known.sessions.insert(known.sessions.remove(at: from), at: to)
            case .updated: break
            }
        }
    }
}

/// Where an app's commands go: the process that runs the engine. It is asked from any thread.
public protocol TransferHost: AnyObject, Sendable {
    func submit(_ command: Command)
}

/// What an app hears of its queue. Every method is optional (A12).
public protocol TransferQueueDelegate: AnyObject {
    /// The store was damaged, and this is another; what is lost has to be enqueued again.
    func storeWasSetAside(_ setAside: StoreSetAside)
    func willActivate(_ session: SessionID)
    func didActivate(_ session: SessionID)
    func willStartRunning(_ session: SessionID)
    func didStartRunning(_ session: SessionID)
    /// Paths may be added to a persistent session until it stops running.
    func canAcceptPaths(_ session: SessionID)
    func didStartTransferringFile(_ name: String, of session: SessionID)
    func didProgress(_ session: SessionID, file: String, done: ByteCount, total: ByteCount)
    func didStopTransferringFile(_ name: String, of session: SessionID)
    func willStopRunning(_ session: SessionID)
    func didStopRunning(_ session: SessionID)
    func willDeactivate(_ session: SessionID)
    func didDeactivate(_ session: SessionID, with result: SessionResult)

    // What a table view needs, row by row.
    func didInsertSession(at index: Int)
    func didRemoveSession(at index: Int)
    func didMoveSession(from: Int, to: Int)
    func didUpdateSession(at index: Int)

    // What is kept beside the queue, as it was last saved.
    func didSave(_ account: AccountID)
    func didDelete(_ account: AccountID)
    func didSave(_ session: SessionID)
    func didDelete(_ session: SessionID)

    /// The queue has not done what was asked, and is as it was.
    func didRefuse(_ refusal: QueueRefusal)
}

extension TransferQueueDelegate {
    public func storeWasSetAside(_ setAside: StoreSetAside) {}
    public func willActivate(_ session: SessionID) {}
    public func didActivate(_ session: SessionID) {}
    public func willStartRunning(_ session: SessionID) {}
    public func didStartRunning(_ session: SessionID) {}
    public func canAcceptPaths(_ session: SessionID) {}
    public func didStartTransferringFile(_ name: String, of session: SessionID) {}
    public func didProgress(
        _ session: SessionID, file: String, done: ByteCount, total: ByteCount
    ) {}
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
