public import TransferEngine

/// What the queue tells an app: each event is told to the delegate, and in the same order to all
/// readers of the queue's events.
public enum QueueEvent: Hashable, Sendable {
    case didStart, didStop
    case session(SessionID, SessionCallback)
    case didSaveAccount(AccountID)
    case didDeleteAccount(AccountID)
    case didSaveSession(SessionID)
    case didDeleteSession(SessionID)
    /// A command was refused. Nothing has changed.
    case didRefuse(QueueRefusal)
    /// The store was damaged and has been replaced. The app has to enqueue again what is lost.
    case storeWasSetAside(StoreSetAside)

    /// `nil` if the app hears nothing of the news.
    init?(_ news: SavedNews) {
        switch news {
        case .holds, .enqueued: return nil
        case .account(let record): self = .didSaveAccount(record.id)
        case .accountDeleted(let id): self = .didDeleteAccount(id)
        case .session(let record, _): self = .didSaveSession(record.id)
        case .sessionDeleted(let id): self = .didDeleteSession(id)
        }
    }
}

extension TransferQueueDelegate {
    func hear(_ event: QueueEvent) {
        switch event {
        case .didStart: queueDidStart()
        case .didStop: queueDidStop()
        case .session(let session, let callback): hear(callback, of: session)
        case .didSaveAccount(let id): didSave(id)
        case .didDeleteAccount(let id): didDelete(id)
        case .didSaveSession(let id): didSave(id)
        case .didDeleteSession(let id): didDelete(id)
        case .didRefuse(let refusal): didRefuse(refusal)
        case .storeWasSetAside(let setAside): storeWasSetAside(setAside)
        }
    }

    private func hear(_ callback: SessionCallback, of session: SessionID) {
        switch callback {
        case .willActivate: willActivate(session)
        case .didActivate: didActivate(session)
        case .willStartRunning: willStartRunning(session)
        case .didStartRunning: didStartRunning(session)
        case .canAcceptPaths: canAcceptPaths(session)
        case .didStartFile(let name): didStartTransferringFile(name, of: session)
        case .progress(let name, let done, let total, let whole):
            didProgress(session, file: name, done: done, total: total)
            if let whole { didProgress(session, whole) }
        case .didStopFile(let name): didStopTransferringFile(name, of: session)
        case .willStopRunning: willStopRunning(session)
        case .didStopRunning: didStopRunning(session)
        case .willDeactivate: willDeactivate(session)
        case .didDeactivate(let result): didDeactivate(session, with: result)
        case .row(.inserted(let index)): didInsertSession(at: index)
        case .row(.removed(let index)): didRemoveSession(at: index)
        case .row(.moved(let from, let to)): didMoveSession(from: from, to: to)
        case .row(.updated(let index)): didUpdateSession(at: index)
        }
    }
}
