public import Quantities

/// A resumable transfer by its number; the app counts them.
public struct EntryID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// Each is one transfer; those of the queue have small numbers, and operations and paths have
    /// other marks.
    private static let mark: UInt64 = 1 << 60
    public var transfer: TransferID { TransferID(Self.mark | number) }

    /// Whose transfer it is, if it is that of an entry.
    public init?(_ transfer: TransferID) {
        guard transfer.number & Self.mark != 0 else { return nil }
        number = transfer.number & ~Self.mark
    }
}

/// A resumable transfer as it is kept: all that a launch needs to go on where the last one was cut
/// off.
public struct EntryRecord: Hashable, Sendable, Codable {
    public var id: EntryID
    /// `app/buckets/…`: the manager that lists it (K2).
    public var bucket: String
    public var account: Account
    public var isDownload: Bool
    /// Of the app, relative to its container: what is uploaded, or where a download goes in the
    /// end.
    public var path: String
    /// Of a download the source is the object, and the destination the part that has come of it.
    /// Of an upload, `isComplete` says that it may be published.
    public var transfer: TransferRecord
    /// What an upload's source held when it began (K5).
    public var digest: UInt64?
    /// So much has moved.
    public var done: ByteCount
    /// Ongoing or suspended: nothing is kept of others.
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

    /// Where what comes of a download stands until it is whole.
    static func partialPath(of id: EntryID) -> String { "transfers/\(id.number).part" }
}
