/// Everything that can happen to the engine, which has no other entrance.
public enum EngineInput: Hashable, Sendable, Codable {
    /// The first input of a launch: what the store kept, in the order of the queue.
    case restored([SessionRecord], accounts: [AccountRecord] = [])
    /// Sent after `restored` if the old store was damaged: what was lost with it.
    case storeWasSetAside(StoreSetAside)
    /// Sent next if the store has any: its resumable transfers.
    case heldEntries([EntryRecord])
    /// A command of the app.
    indirect case command(Command)
    /// What the host knows of a credential of the app.
    case credential(CredentialHandle, CredentialNews)
    /// A message of the transfer daemon.
    case daemon(DaemonNews)
    /// An event of an attempt: of its connection, or of a file.
    case attempt(AttemptInput)
    /// This change and all before it are durable.
    case persisted(PersistTicket)
    case persistFailed(PersistTicket, reason: String)
    /// The app left the front, or is in front again. It launches in front.
    case enteredBackground
    case enteredForeground
    /// This task's expiration handler runs: the engine has to end the task within seconds (B14).
    case backgroundTimeExpires(BackgroundTaskID)
    /// The device has another way into the network, or none.
    case network(NetworkStatus)
    /// A deadline that the engine asked for has come.
    case wake
}

/// A command of the app, by the interface that it uses.
public enum Command: Hashable, Sendable, Codable {
    /// If it has a number, it is answered once (`News.answered`).
    case queue(QueueCommand, RequestID? = nil)
    case operation(OperationCommand)
    case entry(EntryCommand)
    case background(BackgroundCommand)
}

/// A command to the transfer queue.
public enum QueueCommand: Hashable, Sendable, Codable {
    case enqueue(SessionRequest)
    /// Inserts a session before the session at this index.
    case insert(SessionRequest, at: Int)
    /// Saves a session without enqueuing it (A9).
    case save(SessionRequest)
    /// Replaces the content of a saved session.
    case edit(SessionID, SessionRequest)
    /// Enqueues a saved session at this index, or last.
    case enqueueSaved(SessionID, at: Int?)
    /// Deletes a session, enqueued or only saved, unless it is active (A10).
    case deleteSession(SessionID)
    case saveAccount(QueueAccount)
    case changeAccount(AccountID, to: QueueAccount)
    case deleteAccount(AccountID)
    case move(SessionID, to: Int)
    case session(SessionWish, SessionID)
    /// Changes the settings of a session of the queue, unless it is active (A15).
    case change(TransferSettings, of: SessionID)
    /// Switches whether the transfers are declared to the system as background tasks (A11).
    case demarcate(Bool)
    /// Adds a path to a persistent session (P2).
    case addPath(SessionRequest.File, to: SessionID)
    case start, stop
    /// The app has asked for something that its own table does not have.
    case refuse(QueueRefusal)
    /// The delegate has heard of the damaged store.
    case heardOfSetAside
}

/// A session as the app describes it; the engine accepts or refuses it whole (A18).
public struct SessionRequest: Hashable, Sendable, Codable {
    /// A file to transfer: a path in the app's container, and a path below the docroot.
    public struct File: Hashable, Sendable, Codable {
        public var source: String
        public var destination: String
        public init(source: String, destination: String) {
            self.source = source
            self.destination = destination
        }
    }

    public var account: AccountChoice
    /// For a download, sources are on the server and destinations in the app.
    public var files: [File]
    public var isDownload: Bool
    public var limits: NetworkLimits
    /// Whether the session has no files of its own, and keeps its connection open for paths that
    /// are added (P).
    public var isPersistent: Bool
    public var settings: TransferSettings
    /// The app's name for the session until it has a number.
    public var draft: DraftID?

    public init(
        of account: AccountChoice, _ files: [File], isDownload: Bool,
        limits: NetworkLimits = [], isPersistent: Bool = false,
        settings: TransferSettings = TransferSettings()
    ) {
        self.account = account
        self.files = files
        self.isDownload = isDownload
        self.limits = limits
        self.isPersistent = isPersistent
        self.settings = settings
    }

    public init(
        account: Account, uploads: [File], limits: NetworkLimits = [], isPersistent: Bool = false,
        settings: TransferSettings = TransferSettings()
    ) {
        self.settings = settings
        self.isPersistent = isPersistent
        isDownload = false
        self.account = .like(QueueAccount(account))
        files = uploads
        self.limits = limits
    }

    public init(
        account: Account, downloads: [File], limits: NetworkLimits = [],
        settings: TransferSettings = TransferSettings()
    ) {
        self.settings = settings
        isPersistent = false
        isDownload = true
        self.account = .like(QueueAccount(account))
        files = downloads
        self.limits = limits
    }
}

/// A change of the store, numbered in the order of the requests.
public struct PersistTicket: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A background task's number, counted from 1 at each launch.
public struct BackgroundTaskID: Hashable, Sendable, Codable {
    public var number: UInt32
    public init(_ number: UInt32) { self.number = number }
}
