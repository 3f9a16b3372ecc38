public import Quantities

/// A resumable transfer's number, which the app counts.
public struct EntryID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// The mark in a resumable transfer's number. Queue transfers have small numbers; operations
    /// and paths have other marks.
    private static let mark: UInt64 = 1 << 60
    public var transfer: TransferID { TransferID(Self.mark | number) }

    /// The resumable transfer of a transfer number; `nil` if it belongs to something else.
    public init?(_ transfer: TransferID) {
        guard transfer.number & Self.mark != 0 else { return nil }
        number = transfer.number & ~Self.mark
    }
}

/// A resumable transfer in its stored form: everything that a launch needs to go on.
public struct EntryRecord: Hashable, Sendable, Codable {
    public var id: EntryID
    /// `app/buckets/…`, the bucket of the manager that lists the transfer (K2).
    public var bucket: String
    public var account: Account
    public var isDownload: Bool
    /// The app's file, relative to its container: an upload's source, or a download's target.
    public var path: String
    /// The transfer. For a download, the source is the object, and the destination is the partial
    /// file. For an upload, `isComplete` says that it may be published.
    public var transfer: TransferRecord
    /// The digest of an upload's source when it began (K5).
    public var digest: UInt64?
    /// Bytes that have moved.
    public var done: ByteCount
    /// Ongoing or suspended; other transfers are not stored.
    public var state: EntryState

    public init(
        id: EntryID, bucket: String, account: Account, isDownload: Bool, path: String,
        transfer: TransferRecord, digest: UInt64? = nil, done: ByteCount = .zero,
        state: EntryState = .ongoing
    ) {
        self.id = id
        self.bucket = bucket
        self.account = account
        self.isDownload = isDownload
        self.path = path
        self.transfer = transfer
        self.digest = digest
        self.done = done
        self.state = state
    }

    /// `app/buckets/…/objects/…`.
    public var object: String { isDownload ? transfer.source : transfer.destination }

    public var total: ByteCount? { transfer.fingerprint?.size }
}
