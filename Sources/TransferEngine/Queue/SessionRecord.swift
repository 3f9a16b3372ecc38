public import Quantities

/// A session of the queue as it is kept: all that a launch needs to go on where the last one was
/// cut off.
public struct SessionRecord: Hashable, Sendable, Codable {
    public var id: SessionID
    /// What its account was when the session was last saved or enqueued. The account itself counts,
    /// where there is one: this is for the day on which a disk has eaten it.
    public var account: Account
    /// `nil` only in stores from before there were accounts, until a launch gives it one.
    public var accountID: AccountID?
    public var state: SessionState
    /// Failures since the session was last run by hand; a kill does not renew the budget (A16).
    public var failures: Int
    public var transfers: [TransferRecord]
    /// Networks that it does not use, after a launch as before.
    public var limits: NetworkLimits
    /// Its place in the queue: sessions stand in the order of their ranks.
    public var rank: Int64
    /// Of those that were interrupted, the one with the highest is the next; 0 of all others.
    public var precedence: UInt32
    /// It has no transfers: what is added to it lives in its process alone (P4).
    public var isPersistent: Bool
    /// The sources of its transfers are the server's, and their destinations the app's.
    public var isDownload: Bool
    public var settings: TransferSettings
    /// Otherwise its app has saved it by hand, and it is in no queue (A9).
    public var isEnqueued: Bool

    public init(
        id: SessionID, account: Account, accountID: AccountID? = nil, state: SessionState,
        failures: Int,
        transfers: [TransferRecord], limits: NetworkLimits = [], rank: Int64 = 0,
        precedence: UInt32 = 0, isPersistent: Bool = false,
        isDownload: Bool = false, settings: TransferSettings = TransferSettings(),
        isEnqueued: Bool = true
    ) {
        self.isEnqueued = isEnqueued
        self.accountID = accountID
        self.settings = settings
        self.isDownload = isDownload
        self.isPersistent = isPersistent
        self.limits = limits
        self.rank = rank
        self.precedence = precedence
        self.id = id
        self.account = account
        self.state = state
        self.failures = failures
        self.transfers = transfers
    }

    var wire: Wire { isDownload ? .get(settings) : .tus(settings) }

    /// Ranks of neighbours are so far apart when they are new that many fit between.
    static let rankStep: Int64 = 1 << 32

    /// Whether nothing has happened to it since it was enqueued.
    var neverRan: Bool {
        state == .waiting && failures == 0 && transfers.allSatisfy { $0.fingerprint == nil }
    }
}

/// Sessions are counted from 1 in the order they were accepted, over all launches.
public struct SessionID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Where to, and as whom. The password is a handle that the world fills in: the engine never sees
/// it.
public struct Account: Hashable, Sendable, Codable {
    public var host: String
    public var port: UInt16
    public var credentials: CredentialHandle

    public init(host: String, port: UInt16, credentials: CredentialHandle) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }
}

/// Names a credential without holding it.
public struct CredentialHandle: Hashable, Sendable, Codable {
    public var name: String
    public init(_ name: String) { self.name = name }
}

/// One file of a session.
public struct TransferRecord: Hashable, Sendable, Codable {
    public var id: TransferID
    /// Relative to the app's container, which may move between launches (S7).
    public var source: String
    /// Relative to the server's docroot (A13).
    public var destination: String
    /// What the source was when its upload began; a resume needs the same.
    public var fingerprint: SourceFingerprint?
    /// What it held then, as far as the resume policy asks for it.
    public var digest: SourceDigest?
    /// The server's name for the upload, once it has one.
    public var resource: String?
    public var isComplete: Bool

    public init(
        id: TransferID, source: String, destination: String,
        fingerprint: SourceFingerprint? = nil, digest: SourceDigest? = nil,
        resource: String? = nil, isComplete: Bool = false
    ) {
        self.digest = digest
        self.id = id
        self.source = source
        self.destination = destination
        self.fingerprint = fingerprint
        self.resource = resource
        self.isComplete = isComplete
    }
}

extension TransferRecord {
    /// Where the bytes of a download are kept until all have come: what the app has is never half
    /// of a file. The daemon and resumable transfers have said so themselves.
    var landing: String {
        let isSaid = destination.unicodeScalars.first == "/" || EntryID(id) != nil
        return isSaid ? destination : "transfers/session-\(id.number).part"
    }
}

/// The name of a file's transfer, by which it is known to the store and to the log.
public struct TransferID: Hashable, Sendable, Codable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// The attributes by which a source is known again.
public struct SourceFingerprint: Hashable, Sendable, Codable {
    public var size: ByteCount
    /// Nanoseconds on the file system's own clock; compared, never computed with.
    public var modified: UInt64

    public init(size: ByteCount, modified: UInt64) {
        self.size = size
        self.modified = modified
    }
}
