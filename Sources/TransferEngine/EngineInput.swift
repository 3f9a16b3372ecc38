/// All that can happen to the engine. Besides packets there is no other door.
public enum EngineInput: Hashable, Sendable, Codable {
    /// The first input of a launch: what the store kept, in the order of the queue.
    case restored([SessionRecord], accounts: [AccountRecord] = [])
    /// Sent after `restored` if the old store was damaged: what was lost with it.
    case storeWasSetAside(StoreSetAside)
    /// Sent next if there are any: the resumable transfers that the store has kept.
    case heldEntries([EntryRecord])
    /// What the app asks of one of its faces.
    case command(Command)
    /// What the transfer daemon tells the app.
    case daemon(DaemonNews)
    /// What happens to an attempt: to its connection, or to a file.
    case attempt(AttemptInput)
    /// The store promises that this change, and all before it, will survive.
    case persisted(PersistTicket)
    case persistFailed(PersistTicket, reason: String)
    /// The app has left the front, or is there again. At a launch it is there.
    case enteredBackground
    case enteredForeground
    /// The handler of this task runs: it has to be ended within seconds (B14).
    case backgroundTimeExpires(BackgroundTaskID)
    /// The device has another way into the network, or none.
    case network(NetworkStatus)
    /// A deadline that the engine asked for has come.
    case wake
}

/// What an app asks, by the face that it asks.
public enum Command: Hashable, Sendable, Codable {
    case queue(QueueCommand)
    case operation(OperationCommand)
    case entry(EntryCommand)
    case background(BackgroundCommand)
}

/// What an app asks of its transfer queue.
public enum QueueCommand: Hashable, Sendable, Codable {
    case enqueue(SessionRequest)
    /// In front of the one that has this index, if one has.
    case insert(SessionRequest, at: Int)
    /// Keeps it for later: it is in no queue (A9).
    case save(SessionRequest)
    /// One that is saved looks like this from now on.
    case edit(SessionID, SessionRequest)
    /// One that is saved; behind all others without an index.
    case enqueueSaved(SessionID, at: Int?)
    /// Wherever it is, but where it is active (A10).
    case deleteSession(SessionID)
    case saveAccount(QueueAccount)
    case changeAccount(AccountID, to: QueueAccount)
    case deleteAccount(AccountID)
    case move(from: Int, to: Int)
    case session(SessionWish, at: Int)
    /// Of the session that has this index, if it is not active (A15).
    case change(TransferSettings, at: Int)
    /// To the persistent session that has this index (P2).
    case addPath(SessionRequest.File, at: Int)
    case start, stop
    /// The store need not tell of it again.
    case heardOfSetAside
}

/// A session as the app describes it; the engine accepts or refuses it whole (A18).
public struct SessionRequest: Hashable, Sendable, Codable {
    /// From where to where: a path in the app's container, and one below the docroot.
    public struct File: Hashable, Sendable, Codable {
        public var source: String
        public var destination: String
        public init(source: String, destination: String) {
            self.source = source
            self.destination = destination
        }
    }

    public var account: AccountChoice
    /// A download's sources are the server's, and its destinations the app's.
    public var files: [File]
    public var isDownload: Bool
    public var limits: NetworkLimits
    /// It has no files of its own, and keeps its connection open for paths that are added (P).
    public var isPersistent: Bool
    public var settings: TransferSettings
    /// Its app wants to know which session becomes of it.
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

/// Changes of the store are numbered in the order they were asked for.
public struct PersistTicket: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A background task of this launch, counted from 1.
public struct BackgroundTaskID: Hashable, Sendable, Codable {
    public var number: UInt32
    public init(_ number: UInt32) { self.number = number }
}
