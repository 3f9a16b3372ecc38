public import Quantities

/// A request of an app's process to the daemon. Once sent it arrives, even if the app is killed;
/// only a phone that loses power forgets it.
public enum DaemonRequest: Hashable, Sendable, Codable {
    /// The app has opened the session with this identifier, and can hear its events (B7).
    case attach(session: String)
    /// What the app knows of a credential; `nil` if a rejected one is not to be had anew.
    case credential(CredentialHandle, CredentialState?)
    /// A rejected credential could not be had anew for now; the daemon asks again later.
    case credentialNotForNow(CredentialHandle)
    /// Makes a task with this number among the app's tasks.
    indirect case create(UInt64, BackgroundTaskRequest)
    case resume(UInt64)
    case suspend(UInt64)
    /// Cancels a task; `keepingPart` keeps what a download has brought for another task.
    case cancel(UInt64, keepingPart: Bool)
    /// Lists the session's tasks.
    case list(session: String)
    /// Ends the session once none of its tasks is left, or cancels them all first.
    case invalidate(session: String, cancelling: Bool)
    /// The app was told that the task has finished: it need not be kept.
    case heard(UInt64)
    /// The app was told that tasks are lost.
    case heardOfLoss
}

/// A message of the daemon to an app's process. If a kill loses it, it is sent again.
public enum DaemonNews: Hashable, Sendable, Codable {
    /// The server has rejected this version of the account's credential, and tasks wait for
    /// another.
    indirect case credentialRejected(Account, version: UInt32)
    /// The app runs in the background for the events of this session (B2).
    case eventsWait(session: String)
    /// More of an upload is sent, `bytes` since the app was last told.
    case progress(
        UInt64, session: String, bytes: ByteCount, done: ByteCount, total: ByteCount)
    /// A download resumes after the bytes that are here (B12).
    case resumed(UInt64, session: String, offset: ByteCount, total: ByteCount)
    case wrote(UInt64, session: String, bytes: ByteCount, done: ByteCount, total: ByteCount)
    /// The downloaded file of the daemon, which exists until the app has heard of the task's end.
    indirect case downloaded(UInt64, session: String, TaskRequest, TaskResponse, path: String)
    /// The body of the answer to an upload.
    case received(UInt64, session: String, [UInt8])
    indirect case finished(UInt64, session: String, TaskRequest, TaskOutcome, ResumeData?)
    /// The session's tasks that have not finished.
    case tasks(session: String, [TaskSummary])
    /// The session has ended.
    case invalidated(session: String)
    /// The app was told of all waiting events.
    case eventsEnd(session: String)
    /// The request for a task was refused.
    indirect case refused(TaskRefusal)
    /// The daemon's store was damaged, and at least these tasks of the app are lost.
    case lost([UInt64])
}

/// A command of an app to its background sessions.
public enum BackgroundCommand: Hashable, Sendable, Codable {
    case open(session: String)
    indirect case create(UInt64, BackgroundTaskRequest)
    /// Makes a task to upload data from memory, which is refused.
    case createFromMemory(UInt64)
    case resume(UInt64)
    case suspend(UInt64)
    /// Cancels a task; `keepingPart` keeps what a download has brought for another task.
    case cancel(UInt64, keepingPart: Bool = false)
    case list(session: String)
    case invalidate(session: String, cancelling: Bool)
    /// Calls the completion handler that the app got for this session.
    case callHandler(session: String, onMainThread: Bool = true)
}

/// A callback to the app (B2): the delegate methods of its sessions.
public enum BackgroundCallback: Hashable, Sendable, Encodable {
    /// The app gets a completion handler to call once all is done.
    case handleEvents(session: String)
    case didSendBodyData(
        task: UInt64, session: String, bytes: ByteCount, sent: ByteCount, expected: ByteCount)
    case didResume(task: UInt64, session: String, offset: ByteCount, expected: ByteCount)
    case didWriteData(
        task: UInt64, session: String, bytes: ByteCount, written: ByteCount, expected: ByteCount)
    case didReceiveData(task: UInt64, session: String, [UInt8])
    indirect case didFinishDownloading(
        task: UInt64, session: String, TaskRequest, TaskResponse, location: String)
    indirect case didComplete(task: UInt64, session: String, TaskRequest, TaskOutcome, ResumeData?)
    case tasks(session: String, [TaskSummary])
    case didBecomeInvalid(session: String)
    case didFinishEvents(session: String)
    case tasksWereLost([UInt64])
}
