/// An account of the queue, as an app describes it: where sessions go to, as whom, and where they
/// have their paths there.
public struct QueueAccount: Hashable, Sendable, Codable {
    /// What its app calls it; nothing hangs on it.
    public var name: String
    public var access: Account
    /// Below the docroot, for the remote paths of its sessions; without it they begin there.
    public var folder: String

    public init(_ access: Account, name: String = "", folder: String = "") {
        self.access = access
        self.name = name
        self.folder = folder
    }

    /// Where a remote path of a session leads, below the docroot.
    func path(_ remote: String) -> String { folder.isEmpty ? remote : folder + "/" + remote }

    /// A18, A13: what an account must have before anything refers to it.
    var refusal: QueueRefusal? {
        if access.host.isEmpty { return .accountWithoutHost }
        if access.credentials.name.isEmpty { return .accountWithoutCredentials }
        if !folder.isEmpty, !ContainerPath.isInside(folder) { return .folderOutsideDocroot(folder) }
        return nil
    }
}

/// Accounts are counted from 1 in the order in which they were saved.
public struct AccountID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// An account as it is kept.
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
    /// The one that is kept and is like this in everything; without such a one it is saved with the
    /// session (A9).
    case like(QueueAccount)
}

/// What an app knows a session by until it has a number: counted by each process for itself.
public struct DraftID: Hashable, Sendable, Codable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// What an app is told of accounts, and of sessions that it saves by hand (A9, A14).
public enum SavedNews: Hashable, Sendable, Encodable {
    /// At a launch: all accounts, and the sessions that are in no queue.
    case holds([AccountRecord], [SessionRecord])
    case account(AccountRecord)
    case accountDeleted(AccountID)
    case session(SessionRecord, from: DraftID?)
    case sessionDeleted(SessionID)
    /// A session that was saved, or that its app calls so, is in the queue.
    case enqueued(SessionID, from: DraftID?)
}
