package import Quantities

/// Upload operations as the app sees them: what it asked for, and what it was told.
package enum OperationFact: Hashable, Sendable, Codable {
    /// The manager would not do it; the app got this error, and nothing changed.
    case refused(reason: String)
    /// The app wants something done with an operation, and it is done.
    case asked(ItemName, OperationWish)
    case callback(ItemName, OperationCallback)
    /// The app empties the lists of those that have ended.
    case flushed
    /// An operation that has ended is in no list any more.
    case unlisted(ItemName)

    // The names that values without a label have in `events.jsonl`.
    private enum AskedCodingKeys: String, CodingKey { case _0 = "operation", _1 = "wish" }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "operation", _1 = "call" }
    private enum UnlistedCodingKeys: String, CodingKey { case _0 = "operation" }

    package var sentence: String {
        switch self {
        case .refused(let reason): "the upload operations do not do it: \(reason)"
        case .asked(let operation, let wish): "the app wants to \(wish.rawValue) \(operation)"
        case .callback(let operation, let callback): "\(operation) \(callback.sentence)"
        case .flushed: "the app empties the lists of those that have ended"
        case .unlisted(let operation): "\(operation) is in no list any more"
        }
    }
}

/// What an app can want done with an operation that it has.
package enum OperationWish: String, Hashable, Sendable, Codable, CaseIterable {
    case cancel, retry
}

/// What the one notification tells (behaviour U3).
package enum OperationCallback: Hashable, Sendable, Codable {
    /// It is ongoing, for the first time or again.
    case added
    case progress(done: ByteCount, total: ByteCount)
    case completed
    /// Numbers of the transport are those of `URLError`, others those of HTTP.
    case failed(code: Int, message: String)

    package var sentence: String {
        switch self {
        case .added: "is ongoing"
        case .progress(let done, let total): "has moved \(done) of \(total)"
        case .completed: "has completed"
        case .failed(let code, let message): "has failed with error \(code), \(message)"
        }
    }
}
