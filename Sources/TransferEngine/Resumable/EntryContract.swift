public import Quantities

/// A command of an app to its resumable transfers.
public enum EntryCommand: Hashable, Sendable, Codable {
    /// Starts or continues a transfer; the request counts only the first time.
    case transfer(EntryID, EntryRequest)
    case suspend(EntryID)
    case terminate(EntryID)
    /// The app has released the transfer, and will not ask for anything.
    case forget(EntryID)

    public var id: EntryID {
        switch self {
        case .transfer(let id, _), .suspend(let id), .terminate(let id), .forget(let id): id
        }
    }
}

/// A resumable transfer as the app describes it.
public struct EntryRequest: Hashable, Sendable, Codable {
    public var account: Account
    /// `app/buckets/…`.
    public var bucket: String
    /// The object's identifier within the bucket.
    public var object: String
    public var path: String
    public var isDownload: Bool

    public init(
        account: Account, bucket: String, object: String, path: String, isDownload: Bool
    ) {
        self.account = account
        self.bucket = bucket
        self.object = object
        self.path = path
        self.isDownload = isDownload
    }

    public var objectPath: String { "\(bucket)/objects/\(object)" }
}

/// A message to the app about a resumable transfer.
public enum EntryNews: Hashable, Sendable, Encodable {
    /// The transfer is ongoing, for the first time or again.
    case ongoing
    case progress(done: ByteCount, total: ByteCount)
    /// The transfer is suspended: 809 if the app asked for that, or the error.
    case suspended(ResumableError)
    case completed
    /// The entry is gone: 810 if the app asked for that, or the error.
    case ended(ResumableError)
}

/// The result of reading the file of an upload.
public enum SourceExamination: Hashable, Sendable, Codable {
    case regularFile(SourceFingerprint, digest: UInt64)
    case missing
    case notARegularFile
    /// The disk does not return the content.
    case unreadable
}

/// The result of moving a complete part to its target.
public enum PlacementResult: Hashable, Sendable, Codable {
    case placed
    /// There is no such part: an earlier process has moved it.
    case missing
    case refused
}
