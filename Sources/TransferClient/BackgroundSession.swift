public import Quantities
public import TransferEngine

/// The background sessions of an app's process (behaviour B): one for each identifier.
///
/// It forwards what the app asks to the engine through a host, and brings what it is told to the
/// sessions' delegates.
public final class BackgroundSessions {
    /// What the system tells the app itself, and not one of its sessions.
    public weak var delegate: (any BackgroundAppDelegate)?
    private let host: any TransferHost
    private var sessions: [BackgroundSession] = []

    public init(host: any TransferHost) { self.host = host }

    /// A session that hears of the tasks of this identifier, also of those that an earlier launch
    /// has made (B7).
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

    /// Called for what a session refuses: nothing has changed.
    public func deliver(_ refusal: TaskRefusal) { delegate?.backgroundSessionRefused(refusal) }

    fileprivate func submit(_ command: BackgroundCommand) { host.submit(.background(command)) }

    private func delegate(of identifier: String) -> (any BackgroundSessionDelegate)? {
        sessions.first { $0.identifier == identifier }?.delegate
    }
}

/// A background session: only uploads from a file, and downloads (B9).
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

    /// A task that is suspended until it is resumed.
    ///
    /// Its number is the app's own choice, and by it every launch knows it: there is one task of
    /// a number at a time. Where its address takes resumable uploads, and the system knows them,
    /// it goes on where it was after an interruption.
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

    /// Refused: what is in memory would be gone with the process, so that in the background only
    /// files are uploaded (B9).
    public func uploadTask(
        _ number: UInt64, to account: Account, path: String, from data: [UInt8]
    ) -> BackgroundTask {
        sessions.submit(.createFromMemory(number))
        return task(number)
    }

    /// A task that brings an object of the server to a file, which is there until the delegate has
    /// been told of it (B3).
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

    /// One that was made before, perhaps by an earlier launch.
    public func task(_ number: UInt64) -> BackgroundTask {
        BackgroundTask(number, of: sessions)
    }
}

/// A transfer that the system carries out, whatever becomes of the app.
public struct BackgroundTask {
    private let number: UInt64
    private let sessions: BackgroundSessions

    fileprivate init(_ number: UInt64, of sessions: BackgroundSessions) {
        self.number = number
        self.sessions = sessions
    }

    /// Lets it begin, or go on.
    public func resume() { sessions.submit(.resume(number)) }
    /// Until it is resumed nothing is sent.
    public func suspend() { sessions.submit(.suspend(number)) }
    /// It finishes with the error *cancelled*.
    public func cancel() { sessions.submit(.cancel(number)) }
}

/// What an app hears of the tasks of a session. Every method is optional.
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

/// What an app hears of all its background sessions.
public protocol BackgroundAppDelegate: AnyObject {
    /// The system runs the app in the background for the sake of a session. The app keeps the
    /// handler, and calls it once it has heard all that there is (B4).
    func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void)
    /// The system's store was damaged, and these tasks are gone with it, if not more: what is still
    /// wanted has to be made again.
    func backgroundTasksWereLost(_ tasks: [UInt64])
    /// Something that the app asked for is not done, and everything is as it was.
    func backgroundSessionRefused(_ refusal: TaskRefusal)
}
