package import Quantities

/// Resumable transfers as the app sees them: what it asked for, and what it was told.
package enum EntryFact: Hashable, Sendable, Codable {
    /// It is not done; the app got this error, and nothing changed.
    case refused(ItemName, code: Int?, reason: String)
    /// The app wants something done with a transfer, and it is done.
    case asked(ItemName, EntryWish)
    case callback(ItemName, EntryCallback)
    /// What the managers of a launch list in the beginning.
    case held([ItemName])

    // The names that values without a label have in `events.jsonl`.
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
                : "listed: \(transfers.map(\.description).joined(separator: ", "))"
        }
    }
}

/// What an app can want done with a resumable transfer.
package enum EntryWish: String, Hashable, Sendable, Codable, CaseIterable {
    /// It starts, or goes on.
    case transfer
    case suspend, terminate
}

/// What the callbacks that were given at its start tell (behaviour K10, K11).
package enum EntryCallback: Hashable, Sendable, Codable {
    case ongoing
    case progress(done: ByteCount, total: ByteCount)
    /// With 809 where it was asked for, or with what went wrong.
    case suspended(code: Int, message: String)
    case completed
    /// There is no entry any more: with 810 where it was asked for, or with what went wrong.
    case ended(code: Int, message: String)

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
