public import Quantities

/// What an app asks of its resumable transfers.
public enum EntryCommand: Hashable, Sendable, Codable {
    /// Starts it or goes on with it; what it is counts only the first time.
    case transfer(EntryID, EntryRequest)
    case suspend(EntryID)
    case terminate(EntryID)
    /// The app holds it no more, and will not ask for anything.
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

/// What the app is told of a resumable transfer.
public enum EntryNews: Hashable, Sendable, Encodable {
    /// It is ongoing: for the first time, or again.
    case ongoing
    case progress(done: ByteCount, total: ByteCount)
    /// It is suspended, or stays so: 809 where that was asked for, or what went wrong.
    case suspended(ResumableError)
    case completed
    /// There is no entry any more: 810 where that was asked for, or what went wrong.
    case ended(ResumableError)
}

/// What the file of an upload is now, with what it holds.
public enum SourceExamination: Hashable, Sendable, Codable {
    case regularFile(SourceFingerprint, digest: UInt64)
    case missing
    case notARegularFile
    /// The disk does not give it.
    case unreadable
}

/// What became of a part that is to stand in the place of its target.
public enum PlacementResult: Hashable, Sendable, Codable {
    case placed
    /// There is no such part: an earlier process has put it in its place.
    case missing
    case refused
}
