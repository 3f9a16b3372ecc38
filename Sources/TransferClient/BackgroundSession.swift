public import Quantities
import Synchronization
public import TransferEngine

/// The background sessions of an app's process (behaviour B), one for each identifier.
///
/// Passes the app's commands to the engine through a host, and the engine's callbacks to the
/// sessions' delegates. Every method may be called from any thread; what is called back is called
/// by the host.
public final class BackgroundSessions: Sendable {
    private let host: any CommandDoor
    private let known = Mutex(Known())

    private struct Known {
        var listener = Listener()
        var sessions: [BackgroundSession] = []
        /// Whether the code that runs is on the main thread.
        var isOnMain = true
        /// The requests of tasks that this launch has made, or was told of.
        var requests: [UInt64: TaskRequest] = [:]
        /// Who waits for a session's list of tasks, in order.
        var readers: [(session: String, hear: Hearing<[BackgroundTask]>)] = []
        /// Who waits for the data to continue a cancelled download.
        var successors: [UInt64: Hearing<ResumeData?>] = [:]
    }

    /// Only the reference crosses threads. The host alone calls the delegate.
    private struct Listener: @unchecked Sendable {
        weak var delegate: (any BackgroundAppDelegate)?
    }

    /// A closure that the host alone calls.
    private struct Hearing<Value>: @unchecked Sendable {
        let hear: (Value) -> Void
    }

    public init(host: any CommandDoor) { self.host = host }

    /// Receives the callbacks that concern the app as a whole, on the main thread.
    public var delegate: (any BackgroundAppDelegate)? {
        get { known.withLock { $0.listener }.delegate }
        set {
            let listener = Listener(delegate: newValue)
            known.withLock { $0.listener = listener }
        }
    }

    /// Opens a session. Its delegate hears of all tasks with this identifier, including tasks that
    /// an earlier launch made (B7).
    public func session(
        withIdentifier identifier: String,
        configuration: BackgroundConfiguration = BackgroundConfiguration(),
        delegate: any BackgroundSessionDelegate, delegateQueue: DelegateQueue = .main
    ) -> BackgroundSession {
        let session = BackgroundSession(
            identifier, configuration, of: self, delegate, on: delegateQueue)
        known.withLock { $0.sessions.append(session) }
        submit(.open(session: identifier))
        return session
    }

    /// Called by the host, on its queue, for each callback of the engine.
    public func deliver(_ callback: BackgroundCallback) {
        switch callback {
        case .handleEvents(let identifier):
            delegate?.handleEvents(forBackgroundSession: identifier) { [self] in
                let isOnMain = known.withLock { $0.isOnMain }
                submit(.callHandler(session: identifier, onMainThread: isOnMain))
            }
        case .didSendBodyData(let number, let identifier, let bytes, let sent, let expected):
            let task = task(number)
            tell(identifier) {
                $0.task(
                    task, didSendBodyData: bytes, totalBytesSent: sent,
                    totalBytesExpectedToSend: expected)
            }
        case .didResume(let number, let identifier, let offset, let expected):
            let task = task(number)
            tell(identifier) {
                $0.task(task, didResumeAtOffset: offset, expectedTotalBytes: expected)
            }
        case .didWriteData(let number, let identifier, let bytes, let written, let expected):
            let task = task(number)
            tell(identifier) {
                $0.task(
                    task, didWriteData: bytes, totalBytesWritten: written,
                    totalBytesExpectedToWrite: expected)
            }
        case .didReceiveData(let number, let identifier, let body):
            let task = task(number)
            tell(identifier) { $0.task(task, didReceive: body) }
        case .didFinishDownloading(
            let number, let identifier, let request, let response, let location):
            let task = task(number, request)
            tell(identifier) {
                $0.task(task, didFinishDownloadingTo: location, response: response)
            }
        case .didComplete(let number, let identifier, let request, let outcome, let data):
            let task = task(number, request)
            known.withLock { $0.successors.removeValue(forKey: number) }?.hear(data)
            tell(identifier) { $0.task(task, didCompleteWith: outcome, resumeData: data) }
            known.withLock { $0.requests[number] = nil }
        case .tasksWereLost(let tasks): delegate?.backgroundTasksWereLost(tasks)
        case .tasks(let identifier, let summaries):
            let tasks = summaries.map { task($0.number, $0.originalRequest) }
            let reader = known.withLock { known in
                known.readers.firstIndex { $0.session == identifier }
                    .map { known.readers.remove(at: $0).hear }
            }
            reader?.hear(tasks)
        case .didFinishEvents(let identifier):
            tell(identifier) { $0.didFinishEvents(forBackgroundSession: identifier) }
        case .didBecomeInvalid(let identifier):
            tell(identifier) { $0.didBecomeInvalid(backgroundSession: identifier) }
            known.withLock { $0.sessions.removeAll { $0.identifier == identifier } }
        }
    }

    /// Called by the host when the system lets the app fetch. `hear` is told what came of it.
    public func performFetch(_ hear: @escaping (FetchResult) -> Void) {
        guard let delegate else { return hear(.noData) }
        delegate.performFetch(completionHandler: hear)
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: TaskRefusal) {
        if case .noSuchTask(let number) = refusal {
            known.withLock { $0.successors.removeValue(forKey: number) }?.hear(nil)
        }
        delegate?.backgroundSessionRefused(refusal)
    }

    fileprivate func submit(_ command: BackgroundCommand) { host.submit(.background(command)) }

    fileprivate func task(_ number: UInt64, _ request: TaskRequest? = nil) -> BackgroundTask {
        let request = known.withLock { known in
            if let request { known.requests[number] = request }
            return known.requests[number]
        }
        return BackgroundTask(number, request, of: self)
    }

    fileprivate func list(_ session: String, _ hear: @escaping ([BackgroundTask]) -> Void) {
        let hearing = Hearing(hear: hear)
        known.withLock { $0.readers.append((session, hearing)) }
        submit(.list(session: session))
    }

    fileprivate func cancel(_ number: UInt64, byProducing hear: @escaping (ResumeData?) -> Void) {
        let hearing = Hearing(hear: hear)
        known.withLock { $0.successors[number] = hearing }
        submit(.cancel(number, keepingPart: true))
    }

    /// Calls a session's delegate where the session wants it called.
    private func tell(_ identifier: String, _ call: (any BackgroundSessionDelegate) -> Void) {
        let session = known.withLock { known in
            known.sessions.first { $0.identifier == identifier }
        }
        guard let session, let delegate = session.delegate else { return }
        known.withLock { $0.isOnMain = session.delegateQueue == .main }
        call(delegate)
        known.withLock { $0.isOnMain = true }
    }
}

/// Where the delegate of a background session is called.
public enum DelegateQueue: Hashable, Sendable {
    case main
    /// A serial queue that the session makes for itself, on another thread than the main one.
    case own
}

/// A background session. It uploads only from files, and downloads (B9).
public final class BackgroundSession: Sendable {
    public let identifier: String
    public let configuration: BackgroundConfiguration
    public let delegateQueue: DelegateQueue
    private let listener: Listener
    private let sessions: BackgroundSessions

    /// Only the reference crosses threads. The host alone calls the delegate.
    private struct Listener: @unchecked Sendable {
        weak var delegate: (any BackgroundSessionDelegate)?
    }

    fileprivate init(
        _ identifier: String, _ configuration: BackgroundConfiguration,
        of sessions: BackgroundSessions, _ delegate: any BackgroundSessionDelegate,
        on delegateQueue: DelegateQueue
    ) {
        self.identifier = identifier
        self.configuration = configuration
        self.sessions = sessions
        listener = Listener(delegate: delegate)
        self.delegateQueue = delegateQueue
    }

    fileprivate var delegate: (any BackgroundSessionDelegate)? { listener.delegate }

    /// Makes an upload task, which is suspended until it is resumed.
    ///
    /// The app chooses the number, by which every launch knows the task; numbers in use are unique.
    /// If the address and the system both support resumable uploads, the task continues where it
    /// was interrupted.
    public func uploadTask(
        _ number: UInt64, with request: TaskRequest, fromFile source: String,
        isResumable: Bool = false
    ) -> BackgroundTask {
        make(number, request, .upload(from: source, isResumable: isResumable))
    }

    /// Always refused: data in memory would be gone with the process, so a background upload needs
    /// a file (B9).
    public func uploadTask(
        _ number: UInt64, with request: TaskRequest, from data: [UInt8]
    ) -> BackgroundTask {
        sessions.submit(.createFromMemory(number))
        return sessions.task(number, request)
    }

    /// Makes a task that downloads to a file whatever the server answers. The file exists until the
    /// delegate has been told of it (B3).
    public func downloadTask(_ number: UInt64, with request: TaskRequest) -> BackgroundTask {
        make(number, request, .download)
    }

    /// Makes a task that continues a download, or begins it anew if nothing is left of it.
    public func downloadTask(
        _ number: UInt64, withResumeData data: ResumeData
    ) -> BackgroundTask {
        make(number, data.request, .resumption(data))
    }

    private func make(
        _ number: UInt64, _ request: TaskRequest, _ transfer: BackgroundTaskRequest.Transfer
    ) -> BackgroundTask {
        let wanted = BackgroundTaskRequest(
            session: identifier, request, transfer, configuration: configuration)
        sessions.submit(.create(number, wanted))
        return sessions.task(number, request)
    }

    /// Returns a task that was made before, perhaps by an earlier launch.
    public func task(_ number: UInt64) -> BackgroundTask { sessions.task(number) }

    /// Asks for all tasks of whose end the app has not heard, of this launch and earlier ones.
    public func getAllTasks(_ hear: @escaping ([BackgroundTask]) -> Void) {
        sessions.list(identifier, hear)
    }

    /// Ends the session once its tasks have finished. It takes no more tasks.
    public func finishTasksAndInvalidate() {
        sessions.submit(.invalidate(session: identifier, cancelling: false))
    }

    /// Cancels all tasks, and then ends the session. It takes no more tasks.
    public func invalidateAndCancel() {
        sessions.submit(.invalidate(session: identifier, cancelling: true))
    }
}

/// A transfer that the system carries out even if the app is suspended or gone.
public struct BackgroundTask: Sendable {
    public let number: UInt64
    /// The request by which the task was made; `nil` if an earlier launch has made the task, and
    /// this one has not heard of it.
    public let originalRequest: TaskRequest?
    private let sessions: BackgroundSessions

    fileprivate init(
        _ number: UInt64, _ request: TaskRequest?, of sessions: BackgroundSessions
    ) {
        self.number = number
        originalRequest = request
        self.sessions = sessions
    }

    /// Starts or continues the task.
    public func resume() { sessions.submit(.resume(number)) }
    /// Sends nothing more until the task is resumed.
    public func suspend() { sessions.submit(.suspend(number)) }
    /// Finishes the task with the error *cancelled*.
    public func cancel() { sessions.submit(.cancel(number)) }
    /// Finishes a download with the error *cancelled*, and gives what is needed to continue it in
    /// another task; `nil` if it has to begin anew, or has finished already (B12).
    public func cancel(byProducingResumeData hear: @escaping (ResumeData?) -> Void) {
        sessions.cancel(number, byProducing: hear)
    }
}

/// Receives the callbacks of a session's tasks, on the session's delegate queue. Every method is
/// optional.
public protocol BackgroundSessionDelegate: AnyObject {
    /// `bytes` are those since the last call.
    func task(
        _ task: BackgroundTask, didSendBodyData bytes: ByteCount, totalBytesSent sent: ByteCount,
        totalBytesExpectedToSend expected: ByteCount)
    func task(
        _ task: BackgroundTask, didResumeAtOffset offset: ByteCount,
        expectedTotalBytes expected: ByteCount)
    /// `bytes` are those since the last call.
    func task(
        _ task: BackgroundTask, didWriteData bytes: ByteCount,
        totalBytesWritten written: ByteCount, totalBytesExpectedToWrite expected: ByteCount)
    /// More of the body of the answer to an upload: at most 4 kB in all.
    func task(_ task: BackgroundTask, didReceive data: [UInt8])
    /// The file is the body of the server's answer, whatever its status: look at that first.
    func task(
        _ task: BackgroundTask, didFinishDownloadingTo location: String, response: TaskResponse)
    /// `resumeData` is what is needed to continue a download that has failed.
    func task(
        _ task: BackgroundTask, didCompleteWith outcome: TaskOutcome, resumeData: ResumeData?)
    func didFinishEvents(forBackgroundSession identifier: String)
    /// The session has ended, and its delegate hears nothing more. Another session may have the
    /// identifier.
    func didBecomeInvalid(backgroundSession identifier: String)
}

extension BackgroundSessionDelegate {
    public func task(
        _ task: BackgroundTask, didSendBodyData bytes: ByteCount, totalBytesSent sent: ByteCount,
        totalBytesExpectedToSend expected: ByteCount
    ) {}
    public func task(
        _ task: BackgroundTask, didResumeAtOffset offset: ByteCount,
        expectedTotalBytes expected: ByteCount
    ) {}
    public func task(
        _ task: BackgroundTask, didWriteData bytes: ByteCount,
        totalBytesWritten written: ByteCount, totalBytesExpectedToWrite expected: ByteCount
    ) {}
    public func task(_ task: BackgroundTask, didReceive data: [UInt8]) {}
    public func task(
        _ task: BackgroundTask, didFinishDownloadingTo location: String, response: TaskResponse
    ) {}
    public func task(
        _ task: BackgroundTask, didCompleteWith outcome: TaskOutcome, resumeData: ResumeData?
    ) {}
    public func didFinishEvents(forBackgroundSession identifier: String) {}
    public func didBecomeInvalid(backgroundSession identifier: String) {}
}

/// Receives the callbacks that concern all background sessions of an app.
public protocol BackgroundAppDelegate: AnyObject {
    /// The system runs the app in the background for a session. The app keeps the handler, and
    /// calls it on the main thread after the session's last event (B4).
    func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void)
    /// The system lets the app fetch what is new, in the background. The app calls the handler
    /// within 30 s, or is killed. Larger downloads belong in tasks.
    func performFetch(completionHandler: @escaping (FetchResult) -> Void)
    /// The system's store was damaged, and at least these tasks are lost. The app has to make again
    /// what it still needs.
    func backgroundTasksWereLost(_ tasks: [UInt64])
    /// A command was refused. Nothing has changed.
    func backgroundSessionRefused(_ refusal: TaskRefusal)
}

extension BackgroundAppDelegate {
    /// Tells the system at once that there was no news.
    public func performFetch(completionHandler: @escaping (FetchResult) -> Void) {
        completionHandler(.noData)
    }
}
