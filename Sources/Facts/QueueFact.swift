/// The transfer queue as the app sees it: what it asked for, and what it was told.
package enum QueueFact: Hashable, Sendable, Codable {
    /// The app's queue was started.
    case started
    /// It was stopped, and stands: no session is active any more.
    case stopped
    /// The app wants something done with a session, and the queue does it.
    case asked(ItemName, SessionWish)
    /// The app has put a session elsewhere in the queue.
    case reordered(ItemName, from: Int, to: Int)
    /// The app adds a path to a persistent session.
    case pathAdded(ItemName, AcceptedTransfer)
    /// The queue would not take a session; the app got this error.
    case refused(reason: String)
    /// The queue would not do what it was asked; the app got this error, and nothing changed.
    case denied(reason: String)
    case callback(ItemName, SessionCallback)
    /// Of accounts, and of sessions that are saved by hand.
    case saved(SavedFact)
    /// The app is told that its store was damaged, and stands under this name now.
    case storeWasSetAside(as: String)

    // The names that values without a label have in `events.jsonl`.
    private enum AskedCodingKeys: String, CodingKey { case _0 = "session", _1 = "wish" }
    private enum ReorderedCodingKeys: String, CodingKey { case _0 = "session", from, to }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "session", _1 = "call" }
    private enum SavedCodingKeys: String, CodingKey { case _0 = "what" }
    private enum PathAddedCodingKeys: String, CodingKey { case _0 = "session", _1 = "path" }

    package var sentence: String {
        switch self {
        case .started: "the app starts the queue"
        case .stopped: "the queue is stopped"
        case .asked(let session, let wish): "the app wants to \(wish.rawValue) \(session)"
        case .reordered(let session, let from, let to):
            "the app moves \(session) from index \(from) to \(to)"
        case .pathAdded(let session, let path):
            "the app adds \(path.source) to \(session), for \(path.destination)"
        case .refused(let reason): "the queue refuses: \(reason)"
        case .denied(let reason): "the queue does not do it: \(reason)"
        case .callback(let session, let callback): "\(session) \(callback.sentence)"
        case .saved(let fact): fact.sentence
        case .storeWasSetAside(let name):
            "the app is told that its store was damaged and is set aside as \(name)"
        }
    }
}
