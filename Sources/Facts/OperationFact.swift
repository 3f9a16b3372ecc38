package import Quantities

/// Upload operations as the app sees them.
package enum OperationFact: Hashable, Sendable, Codable {
    /// A request was refused with this error, and nothing changed.
    case refused(reason: String)
    /// The app made a request about an operation, and it is carried out.
    case asked(ItemName, OperationWish)
    case callback(ItemName, OperationCallback)
    case flushed

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case refused, asked, callback, flushed
    }
    private enum AskedCodingKeys: String, CodingKey { case _0 = "operation", _1 = "wish" }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "operation", _1 = "call" }

    package var sentence: String {
        switch self {
        case .refused(let reason): "the upload operations do not do it: \(reason)"
        case .asked(let operation, let wish): "the app wants to \(wish.rawValue) \(operation)"
        case .callback(let operation, let callback): "\(operation) \(callback.sentence)"
        case .flushed: "the app empties the lists of those that have ended"
        }
    }
}

/// A request of an app about an operation.
package enum OperationWish: String, Hashable, Sendable, Codable, CaseIterable {
    case cancel, retry
}

/// The content of the notification (behaviour U3).
package enum OperationCallback: Hashable, Sendable, Codable {
    /// The operation is ongoing, for the first time or again.
    case added
    case progress(done: ByteCount, total: ByteCount)
    case completed
    /// The code is one of `URLError` or an HTTP status.
    case failed(code: Int, message: String)
    /// The operation has been in its list for long enough, and has left it.
    case agedOut
    /// The operation has left its list because the app empties the lists.
    case flushed

    private enum CodingKeys: CodingKey, CaseIterable {
        case added, progress, completed, failed, agedOut, flushed
    }

    package var sentence: String {
        switch self {
        case .added: "is ongoing"
        case .progress(let done, let total): "has moved \(done) of \(total)"
        case .completed: "has completed"
        case .failed(let code, let message): "has failed with error \(code), \(message)"
        case .agedOut: "has been listed for long enough"
        case .flushed: "is taken from its list, which the app empties"
        }
    }
}
