public import Quantities

/// What an app's process asks of the daemon. Once it has been sent it arrives, even if the app is
/// killed meanwhile; only a phone that loses its power forgets it.
public enum DaemonRequest: Hashable, Sendable, Codable {
    /// The app has made the session of this identifier, and can hear its events (B7).
    case attach(session: String)
    /// A new task, by its number among the app's tasks.
    case create(UInt64, BackgroundTaskRequest)
    case resume(UInt64)
    case suspend(UInt64)
    case cancel(UInt64)
    /// The app was told that the task has completed: nobody needs to keep it any more.
    case heard(UInt64)
    /// The app was told that tasks are lost.
    case heardOfLoss
}

/// What the daemon tells an app's process; a kill on the way loses it, and it is told again.
public enum DaemonNews: Hashable, Sendable, Codable {
    /// The app runs in the background for the events of this session (B2).
    case eventsWait(session: String)
    case progress(UInt64, session: String, done: ByteCount, total: ByteCount)
    /// A download goes on behind what was there (B12).
    case resumed(UInt64, session: String, offset: ByteCount, total: ByteCount)
    case wrote(UInt64, session: String, done: ByteCount, total: ByteCount)
    /// What it has brought is in this file of the daemon's, until the app has heard of its end.
    case downloaded(UInt64, session: String, path: String)
    case finished(UInt64, session: String, TaskOutcome)
    /// All that waited has been told.
    case eventsEnd(session: String)
    /// What was asked of a task is not done.
    case refused(TaskRefusal)
    /// The daemon's store was damaged, and these of the app's tasks are gone with it, if not more.
    case lost([UInt64])
}

/// A task as the app describes it.
public struct BackgroundTaskRequest: Hashable, Sendable, Codable {
    /// From a file, or to one: nothing else is done in the background (B9).
    public enum Transfer: Hashable, Sendable, Codable {
        /// A path in the app's container, and one below the docroot, whose address takes uploads
        /// that can be gone on with, or takes them whole alone.
        case upload(from: String, to: String, isResumable: Bool = false)
        case download(String)
    }

    public var session: String
    public var account: Account
    public var transfer: Transfer
    public var limits: NetworkLimits
    public var isDiscretionary: Bool

    public init(
        session: String, account: Account, _ transfer: Transfer,
        limits: NetworkLimits = [], isDiscretionary: Bool = false
    ) {
        self.session = session
        self.account = account
        self.transfer = transfer
        self.limits = limits
        self.isDiscretionary = isDiscretionary
    }
}

/// What an app asks of its background sessions.
public enum BackgroundCommand: Hashable, Sendable, Codable {
    case open(session: String)
    case create(UInt64, BackgroundTaskRequest)
    /// The same of what is in no file.
    case createFromMemory(UInt64)
    case resume(UInt64)
    case suspend(UInt64)
    case cancel(UInt64)
    /// The app calls the completion handler that it got for this session.
    case callHandler(session: String)
}

/// What the app is told (B2): the delegate methods of its sessions.
public enum BackgroundCallback: Hashable, Sendable, Encodable {
    /// With a completion handler, to be called once all is done.
    case handleEvents(session: String)
    case didSendBodyData(task: UInt64, session: String, sent: ByteCount, expected: ByteCount)
    case didResume(task: UInt64, session: String, offset: ByteCount, expected: ByteCount)
    case didWriteData(task: UInt64, session: String, written: ByteCount, expected: ByteCount)
    case didFinishDownloading(task: UInt64, session: String, location: String)
    case didComplete(task: UInt64, session: String, TaskOutcome)
    case didFinishEvents(session: String)
    case tasksWereLost([UInt64])
}
