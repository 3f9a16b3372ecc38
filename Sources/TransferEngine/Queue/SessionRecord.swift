public import Quantities

/// A session of the queue in its stored form: everything that a launch needs to go on.
public struct SessionRecord: Hashable, Sendable, Codable {
    public var id: SessionID
    /// The account when the session was last saved or enqueued. The account's own record takes
    /// precedence; this copy replaces a record that a damaged disk has lost.
    public var account: Account
    /// `nil` only in stores from before there were accounts, until a launch assigns one.
    public var accountID: AccountID?
    public var state: SessionState
    /// Failures since the session was last run by hand. A kill does not renew the budget (A16).
    public var failures: Int
    public var transfers: [TransferRecord]
    /// Networks that the session does not use.
    public var limits: NetworkLimits
    /// The place in the queue: sessions are ordered by rank.
    public var rank: Int64
    /// Highest for the interrupted session that is resumed first; 0 if it was not interrupted.
    public var precedence: UInt32
    /// Whether the session has no stored transfers: paths that are added live in the process only
    /// (P4).
    public var isPersistent: Bool
    /// Whether sources are on the server and destinations in the app.
    public var isDownload: Bool
    public var settings: TransferSettings
    /// Whether the session is in the queue. If not, it is only saved (A9).
    public var isEnqueued: Bool
    /// The last error since the session was last run by hand, until all of it has arrived.
    public var error: TransferError?

    public init(
        id: SessionID, account: Account, accountID: AccountID? = nil, state: SessionState,
        failures: Int,
        transfers: [TransferRecord], limits: NetworkLimits = [], rank: Int64 = 0,
        precedence: UInt32 = 0, isPersistent: Bool = false,
        isDownload: Bool = false, settings: TransferSettings = TransferSettings(),
        isEnqueued: Bool = true, error: TransferError? = nil
    ) {
        self.error = error
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

    /// Whether nothing has happened to the session since it was enqueued.
    var neverRan: Bool {
        state == .waiting && failures == 0 && transfers.allSatisfy { $0.fingerprint == nil }
    }
}

/// A session's number, counted from 1 in the order of acceptance, over all launches.
public struct SessionID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The server and the user. The password is a handle that the world fills in: the engine never sees
/// it.
public struct Account: Hashable, Sendable {
    public var host: String
    public var port: UInt16
    public var credentials: CredentialHandle
    /// Whether the server has to show a certificate that the host trusts, and all is encrypted.
    public var usesTLS: Bool

    public init(
        host: String, port: UInt16, credentials: CredentialHandle, usesTLS: Bool = false
    ) {
        self.host = host
        self.port = port
        self.credentials = credentials
        self.usesTLS = usesTLS
    }

    /// The host in the `Host` field of requests: an IPv6 address has brackets, and no zone.
    var hostInRequests: String {
        host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
    }
}

/// Written without TLS as before there was any, so that old recordings are read.
extension Account: Codable {
    private enum Key: String, CodingKey { case host, port, credentials, usesTLS }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        host = try values.decode(String.self, forKey: .host)
        port = try values.decode(UInt16.self, forKey: .port)
        credentials = try values.decode(CredentialHandle.self, forKey: .credentials)
        usesTLS = try values.decodeIfPresent(Bool.self, forKey: .usesTLS) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(host, forKey: .host)
        try values.encode(port, forKey: .port)
        try values.encode(credentials, forKey: .credentials)
        if usesTLS { try values.encode(true, forKey: .usesTLS) }
    }
}

/// One file of a session.
public struct TransferRecord: Hashable, Sendable, Codable {
    public var id: TransferID
    /// Relative to the app's container, which may move between launches (S7).
    public var source: String
    /// Relative to the server's docroot (A13).
    public var destination: String
    /// The source when its upload began; a resume needs the same.
    public var fingerprint: SourceFingerprint?
    /// The digest of the source at that time, as far as the resume policy asks for it.
    public var digest: SourceDigest?
    /// The server's name for the upload, once it has one.
    public var resource: String?
    public var isComplete: Bool
    /// Why the file was given up, until the app runs its session again (A21).
    public var failure: TransferError?

    public init(
        id: TransferID, source: String, destination: String,
        fingerprint: SourceFingerprint? = nil, digest: SourceDigest? = nil,
        resource: String? = nil, isComplete: Bool = false, failure: TransferError? = nil
    ) {
        self.failure = failure
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
    /// Whether the file has yet to arrive, and may.
    var isOpen: Bool { !isComplete && failure == nil }

    /// Where the bytes of a download are kept until all have arrived, so that the app never has
    /// half a file. Daemon and resumable transfers choose the path themselves.
    var landing: String {
        let isSaid = destination.unicodeScalars.first == "/" || EntryID(id) != nil
        return isSaid ? destination : PartialFile.path(of: id)
    }
}

/// The number of a file's transfer, for the store and the log.
public struct TransferID: Hashable, Sendable, Codable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }

    /// The numbers that an app may give to its operations, tasks and resumable transfers. The bits
    /// above say what a transfer belongs to.
    public static let numbersOfApps = 0..<UInt64(1) << 48

    static func words(tooLarge number: UInt64) -> String {
        "the number \(number) is too large: give one below \(numbersOfApps.upperBound)"
    }
}

/// The attributes by which a source is recognised.
public struct SourceFingerprint: Hashable, Sendable, Codable {
    public var size: ByteCount
    /// Nanoseconds on the file system's own clock; compared, never computed with.
    public var modified: UInt64
    /// When the file system noted the last change of content or attributes, which nobody can put
    /// back. It is compared within an attempt only: a record holds 0.
    public var changed: UInt64

    public init(size: ByteCount, modified: UInt64, changed: UInt64 = 0) {
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// The part by which a later attempt recognises the source.
    var lasting: SourceFingerprint { SourceFingerprint(size: size, modified: modified) }
}
