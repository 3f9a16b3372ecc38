/// An account of the queue as an app describes it: the host, the credentials and the folder of its
/// sessions.
public struct QueueAccount: Hashable, Sendable, Codable {
    /// The app's name for the account; the engine does not use it.
    public var name: String
    public var access: Account
    /// The folder below the docroot to which remote paths are relative. May be empty.
    public var folder: String

    public init(_ access: Account, name: String = "", folder: String = "") {
        self.access = access
        self.name = name
        self.folder = folder
    }

    /// Returns a session's remote path relative to the docroot.
    func path(_ remote: String) -> String { folder.isEmpty ? remote : folder + "/" + remote }

    /// What the account lacks before anything may refer to it (A18, A13).
    var refusal: QueueRefusal? {
        if access.host.isEmpty { return .accountWithoutHost }
        if access.credentials.name.isEmpty { return .accountWithoutCredentials }
        if !folder.isEmpty, !ContainerPath.isInside(folder) { return .folderOutsideDocroot(folder) }
        return nil
    }
}

/// An account's number, counted from 1 in the order of saving.
public struct AccountID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A saved account.
public struct AccountRecord: Hashable, Sendable, Codable {
    public var id: AccountID
    public var account: QueueAccount

    public init(_ id: AccountID, _ account: QueueAccount) {
        self.id = id
        self.account = account
    }
}

/// The account of a session that an app hands over.
public enum AccountChoice: Hashable, Sendable, Codable {
    case saved(AccountID)
    /// The saved account with exactly this content. Without one, it is saved with the session (A9).
    case like(QueueAccount)
}

/// The app's name for a session until it has a number; each process counts its own.
public struct DraftID: Hashable, Sendable, Codable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// A message to the app about accounts and saved sessions (A9, A14).
public enum SavedNews: Hashable, Sendable, Encodable {
    /// All accounts, and the sessions that are in no queue, at a launch.
    case holds([AccountRecord], [SessionRecord])
    case account(AccountRecord)
    case accountDeleted(AccountID)
    case session(SessionRecord, from: DraftID?)
    case sessionDeleted(SessionID)
    /// A saved session, or the session of a draft, has entered the queue.
    case enqueued(SessionID, from: DraftID?)
}
