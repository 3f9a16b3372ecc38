import RunLog
import TransferClient
import TransferEngine

/// Hears for a running app what its interfaces tell, until the app sets another listener.
final class AppListener {
    private weak var app: RunningApp?
    var isDeaf = false

    init(for app: RunningApp) { self.app = app }

    private func hears(_ occasion: AppPlan.Occasion) {
        guard !isDeaf else { return }
        app?.hears(occasion)
    }
}

extension AppListener: TransferQueueDelegate {
    func storeWasSetAside(_ setAside: StoreSetAside) { hears(.storeSetAside) }

    func canAcceptPaths(_ session: SessionID) {
        hears(.canAcceptPaths(ItemName(session.number)))
    }

    func didStopTransferringFile(_ name: String, of session: SessionID) {
        hears(.stoppedFile(name, of: ItemName(session.number)))
    }

    func didDeactivate(_ session: SessionID, with result: SessionResult) {
        let name = ItemName(session.number)
        switch result {
        case .completed: hears(.completed(name))
        case .failed: hears(.failed(name))
        case .cancelled, .stopped: break
        }
    }
}

extension AppListener: UploadOperationsObserver {
    func uploadOperationsChanged(_ notification: UploadNotification) {
        let name = ItemName(notification.operation.number, of: .operations)
        switch notification.change {
        case .completed: hears(.completed(name))
        case .failed: hears(.failed(name))
        case .added, .progress, .agedOut, .flushed: break
        }
    }
}

extension AppListener: ResumableTransferObserver {
    func transfer(
        _ transfer: ResumableTransfer, cameToRestWith error: ResumableError?
    ) {
        let name = ItemName(transfer.number, of: .bucket)
        guard error != nil else { return hears(.completed(name)) }
        hears(transfer.status == .suspended ? .suspended(name) : .failed(name))
    }
}

extension AppListener: BackgroundAppDelegate {
    func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void
    ) {
        guard !isDeaf else { return }
        app?.runsInBackground(for: identifier, completionHandler: completionHandler)
    }

    func performFetch(completionHandler: @escaping (FetchResult) -> Void) {
        guard !isDeaf else { return }
        app?.fetches(completionHandler)
    }

    func backgroundTasksWereLost(_ tasks: [UInt64]) { hears(.tasksLost) }

    /// Does nothing, because the app of a plan does not try again.
    func backgroundSessionRefused(_ refusal: TaskRefusal) {}
}

/// One more observer of upload operations, which only counts what it hears.
final class OperationCounter: UploadOperationsObserver {
    private(set) var heard = 0
    func uploadOperationsChanged(_: UploadNotification) { heard += 1 }
}

/// A delegate that acts on nothing, for a session that should not exist.
final class Stranger: BackgroundSessionDelegate {}
