package import Quantities
package import TransferEngine

/// The transfer queue as an app programs against it (behaviour A), in either world.
///
/// It forwards what the app asks to the engine through a host, and brings the engine's callbacks to
/// the delegate. Sessions run in the order they were enqueued, while the queue is started.
package final class TransferQueue {
    package weak var delegate: (any TransferQueueDelegate)? { didSet { tellOfSetAside() } }
    /// Nobody has heard of it yet.
    private var setAside: StoreSetAside?
    private let host: any TransferHost

    package init(host: any TransferHost) { self.host = host }

    /// Hands over a session; the engine makes it durable before it runs.
    package func enqueue(_ session: SessionRequest) { host.submit(.enqueue(session)) }

    /// Lets the queue run. Running mode is not kept: after a launch the app calls this again (A11).
    package func start() { host.submit(.start) }

    /// Called by the host, on its queue: the store was damaged. It is told at every launch until
    /// there is a delegate to hear it.
    package func deliver(_ setAside: StoreSetAside) {
        self.setAside = setAside
        tellOfSetAside()
    }

    private func tellOfSetAside() {
        guard let delegate, let setAside else { return }
        self.setAside = nil
        delegate.storeWasSetAside(setAside)
        host.submit(.heardOfSetAside)
    }

    /// Called by the host, on its queue, for each callback of the engine.
    package func deliver(_ callback: QueueCallback, for session: SessionID) {
        guard let delegate else { return }
        switch callback {
        case .willActivate: delegate.willActivate(session)
        case .didActivate: delegate.didActivate(session)
        case .willStartRunning: delegate.willStartRunning(session)
        case .didStartRunning: delegate.didStartRunning(session)
        case .didStartFile(let name): delegate.didStartTransferringFile(name, of: session)
        case .progress(let name, let done, let total):
            delegate.didProgress(session, file: name, done: done, total: total)
        case .didStopFile(let name): delegate.didStopTransferringFile(name, of: session)
        case .willStopRunning: delegate.willStopRunning(session)
        case .didStopRunning: delegate.didStopRunning(session)
        case .willDeactivate: delegate.willDeactivate(session)
        case .didDeactivate(let result): delegate.didDeactivate(session, with: result)
        }
    }
}

/// Where a queue's commands go: the process that runs the engine.
package protocol TransferHost: AnyObject {
    func submit(_ command: QueueCommand)
}

/// What an app hears of its queue. Every method is optional (A12).
package protocol TransferQueueDelegate: AnyObject {
    /// The store was damaged, and this is another; what is lost has to be enqueued again.
    func storeWasSetAside(_ setAside: StoreSetAside)
    func willActivate(_ session: SessionID)
    func didActivate(_ session: SessionID)
    func willStartRunning(_ session: SessionID)
    func didStartRunning(_ session: SessionID)
    func didStartTransferringFile(_ name: String, of session: SessionID)
    func didProgress(_ session: SessionID, file: String, done: ByteCount, total: ByteCount)
    func didStopTransferringFile(_ name: String, of session: SessionID)
    func willStopRunning(_ session: SessionID)
    func didStopRunning(_ session: SessionID)
    func willDeactivate(_ session: SessionID)
    func didDeactivate(_ session: SessionID, with result: SessionResult)
}

extension TransferQueueDelegate {
    package func storeWasSetAside(_ setAside: StoreSetAside) {}
    package func willActivate(_ session: SessionID) {}
    package func didActivate(_ session: SessionID) {}
    package func willStartRunning(_ session: SessionID) {}
    package func didStartRunning(_ session: SessionID) {}
    package func didStartTransferringFile(_ name: String, of session: SessionID) {}
    package func didProgress(
        _ session: SessionID, file: String, done: ByteCount, total: ByteCount
    ) {}
    package func didStopTransferringFile(_ name: String, of session: SessionID) {}
    package func willStopRunning(_ session: SessionID) {}
    package func didStopRunning(_ session: SessionID) {}
    package func willDeactivate(_ session: SessionID) {}
    package func didDeactivate(_ session: SessionID, with result: SessionResult) {}
}
