public import Quantities
public import TransferEngine

/// The background sessions of an app's process (behaviour B), one for each identifier.
///
/// Passes the app's commands to the engine through a host, and the engine's callbacks to the
/// sessions' delegates.
public final class BackgroundSessions {
    /// Receives the callbacks that concern the app as a whole.
    public weak var delegate: (any BackgroundAppDelegate)?
    private let host: any TransferHost
    private var sessions: [BackgroundSession] = []

    public init(host: any TransferHost) { self.host = host }

    /// Opens a session. Its delegate hears of all tasks with this identifier, including tasks that
    /// an earlier launch made (B7).
    public func session(
        withIdentifier identifier: String, delegate: any BackgroundSessionDelegate
    ) -> BackgroundSession {
        let session = BackgroundSession(identifier, of: self, delegate)
        sessions.append(session)
        submit(.open(session: identifier))
        return session
    }

    /// Called by the host, on its queue, for each callback of the engine.
    public func deliver(_ callback: BackgroundCallback) {
        switch callback {
        case .handleEvents(let identifier):
            delegate?.handleEvents(forBackgroundSession: identifier) { [host] in
                host.submit(.background(.callHandler(session: identifier)))
            }
        case .didSendBodyData(let task, let identifier, let sent, let expected):
            delegate(of: identifier)?.task(
                task, didSendBodyData: sent, totalBytesExpectedToSend: expected)
        case .didResume(let task, let identifier, let offset, let expected):
            delegate(of: identifier)?.task(
                task, didResumeAtOffset: offset, expectedTotalBytes: expected)
        case .didWriteData(let task, let identifier, let written, let expected):
            delegate(of: identifier)?.task(
                task, didWriteData: written, totalBytesExpectedToWrite: expected)
        case .didFinishDownloading(let task, let identifier, let location):
            delegate(of: identifier)?.task(task, didFinishDownloadingTo: location)
        case .didComplete(let task, let identifier, let outcome):
            delegate(of: identifier)?.task(task, didCompleteWith: outcome)
        case .tasksWereLost(let tasks): delegate?.backgroundTasksWereLost(tasks)
        case .didFinishEvents(let identifier):
            delegate(of: identifier)?.didFinishEvents(forBackgroundSession: identifier)
        }
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: TaskRefusal) { delegate?.backgroundSessionRefused(refusal) }

    fileprivate func submit(_ command: BackgroundCommand) { host.submit(.background(command)) }

    private func delegate(of identifier: String) -> (any BackgroundSessionDelegate)? {
        sessions.first { $0.identifier == identifier }?.delegate
    }
}

/// A background session. It uploads only from files, and downloads (B9).
public final class BackgroundSession {
    fileprivate let identifier: String
    fileprivate weak var delegate: (any BackgroundSessionDelegate)?
    private let sessions: BackgroundSessions

    fileprivate init(
        _ identifier: String, of sessions: BackgroundSessions,
        _ delegate: any BackgroundSessionDelegate
    ) {
        self.identifier = identifier
        self.sessions = sessions
        self.delegate = delegate
    }

    /// Makes an upload task, which is suspended until it is resumed.
    ///
    /// The app chooses the number, by which every launch knows the task; numbers in use are unique.
    /// If the address and the system both support resumable uploads, the task continues where it
    /// was interrupted.
    public func uploadTask(
        _ number: UInt64, to account: Account, path: String, fromFile source: String,
        isResumable: Bool = false, limits: NetworkLimits = [], isDiscretionary: Bool = false
    ) -> BackgroundTask {
        let request = BackgroundTaskRequest(
            session: identifier, account: account,
            .upload(from: source, to: path, isResumable: isResumable),
            limits: limits, isDiscretionary: isDiscretionary)
        sessions.submit(.create(number, request))
        return task(number)
    }

    /// Always refused: data in memory would be gone with the process, so a background upload needs
    /// a file (B9).
    public func uploadTask(
        _ number: UInt64, to account: Account, path: String, from data: [UInt8]
    ) -> BackgroundTask {
        sessions.submit(.createFromMemory(number))
        return task(number)
    }

    /// Makes a task that downloads an object to a file. The file exists until the delegate has been
    /// told of it (B3).
    public func downloadTask(
        _ number: UInt64, from account: Account, path: String, limits: NetworkLimits = [],
        isDiscretionary: Bool = false
    ) -> BackgroundTask {
        let request = BackgroundTaskRequest(
            session: identifier, account: account, .download(path), limits: limits,
            isDiscretionary: isDiscretionary)
        sessions.submit(.create(number, request))
        return task(number)
    }

    /// Returns a task that was made before, perhaps by an earlier launch.
    public func task(_ number: UInt64) -> BackgroundTask {
        BackgroundTask(number, of: sessions)
    }
}

/// A transfer that the system carries out even if the app is suspended or gone.
public struct BackgroundTask {
    private let number: UInt64
    private let sessions: BackgroundSessions

    fileprivate init(_ number: UInt64, of sessions: BackgroundSessions) {
        self.number = number
        self.sessions = sessions
    }

    /// Starts or continues the task.
    public func resume() { sessions.submit(.resume(number)) }
    /// Sends nothing more until the task is resumed.
    public func suspend() { sessions.submit(.suspend(number)) }
    /// Finishes the task with the error *cancelled*.
    public func cancel() { sessions.submit(.cancel(number)) }
}

/// Receives the callbacks of a session's tasks. Every method is optional.
public protocol BackgroundSessionDelegate: AnyObject {
    func task(
        _ task: UInt64, didSendBodyData sent: ByteCount,
        totalBytesExpectedToSend expected: ByteCount)
    func task(
        _ task: UInt64, didResumeAtOffset offset: ByteCount,
        expectedTotalBytes expected: ByteCount)
    func task(
        _ task: UInt64, didWriteData written: ByteCount,
        totalBytesExpectedToWrite expected: ByteCount)
    func task(_ task: UInt64, didFinishDownloadingTo location: String)
    func task(_ task: UInt64, didCompleteWith outcome: TaskOutcome)
    func didFinishEvents(forBackgroundSession identifier: String)
}

extension BackgroundSessionDelegate {
    public func task(
        _ task: UInt64, didSendBodyData sent: ByteCount,
        totalBytesExpectedToSend expected: ByteCount
    ) {}
    public func task(
        _ task: UInt64, didResumeAtOffset offset: ByteCount,
        expectedTotalBytes expected: ByteCount
    ) {}
    public func task(
        _ task: UInt64, didWriteData written: ByteCount,
        totalBytesExpectedToWrite expected: ByteCount
    ) {}
    public func task(_ task: UInt64, didFinishDownloadingTo location: String) {}
    public func task(_ task: UInt64, didCompleteWith outcome: TaskOutcome) {}
    public func didFinishEvents(forBackgroundSession identifier: String) {}
}

/// Receives the callbacks that concern all background sessions of an app.
public protocol BackgroundAppDelegate: AnyObject {
    /// The system runs the app in the background for a session. The app keeps the handler, and
    /// calls it after the session's last event (B4).
    func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void)
    /// The system's store was damaged, and at least these tasks are lost. The app has to make again
    /// what it still needs.
    func backgroundTasksWereLost(_ tasks: [UInt64])
    /// A command was refused. Nothing has changed.
    func backgroundSessionRefused(_ refusal: TaskRefusal)
}
