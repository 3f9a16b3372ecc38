package import Quantities

/// Resumable transfers as the app sees them.
package enum EntryFact: Hashable, Sendable, Codable {
    /// A request was refused with this error, and nothing changed.
    case refused(ItemName, code: Int?, reason: String)
    /// The app made a request about a transfer, and it is carried out.
    case asked(ItemName, EntryWish)
    case callback(ItemName, EntryCallback)
    /// The transfers that a launch lists at its beginning.
    case held([ItemName])

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable { case refused, asked, callback, held }
    private enum RefusedCodingKeys: String, CodingKey { case _0 = "transfer", code, reason }
    private enum AskedCodingKeys: String, CodingKey { case _0 = "transfer", _1 = "wish" }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "transfer", _1 = "call" }
    private enum HeldCodingKeys: String, CodingKey { case _0 = "transfers" }

    package var sentence: String {
        switch self {
        case .refused(let transfer, let code, let reason):
            "\(transfer) stays as it is\(code.map { ", error \($0)" } ?? ""): \(reason)"
        case .asked(let transfer, .transfer): "the app wants \(transfer) to go on"
        case .asked(let transfer, let wish): "the app wants to \(wish.rawValue) \(transfer)"
        case .callback(let transfer, let callback): "\(transfer) \(callback.sentence)"
        case .held(let transfers):
            transfers.isEmpty
                ? "no transfer is listed"
                : "listed: \(transfers.listed)"
        }
    }
}

/// A request of an app about a resumable transfer.
package enum EntryWish: String, Hashable, Sendable, Codable, CaseIterable {
    /// Start or continue.
    case transfer
    case suspend, terminate
}

/// A callback about a resumable transfer (behaviour K10, K11).
package enum EntryCallback: Hashable, Sendable, Codable {
    case ongoing
    case progress(done: ByteCount, total: ByteCount)
    /// Suspended at the app's request (809), or by an error.
    case suspended(code: Int, message: String)
    case completed
    /// The entry is gone, at the app's request (810) or because of an error.
    case ended(code: Int, message: String)

    private enum CodingKeys: CodingKey, CaseIterable {
        case ongoing, progress, suspended, completed, ended
    }

    package var sentence: String {
        switch self {
        case .ongoing: "is ONGOING"
        case .progress(let done, let total): "has moved \(done) of \(total)"
        case .suspended(let code, let message): "is SUSPENDED with error \(code), \(message)"
        case .completed: "has completed: NOENTRY"
        case .ended(let code, let message): "has ended with error \(code), \(message): NOENTRY"
        }
    }
}
