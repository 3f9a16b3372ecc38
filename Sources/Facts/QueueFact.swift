package import Quantities

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

/// A delegate call of the transfer queue (behaviour A1).
package enum SessionCallback: Hashable, Sendable, Codable {
    case willActivate, didActivate
    case willStartRunning, didStartRunning
    /// From now on paths may be added to a persistent session (P2).
    case canAcceptPaths
    case didStartFile(name: String)
    case progress(name: String, done: ByteCount, total: ByteCount)
    case didStopFile(name: String)
    case willStopRunning, didStopRunning
    case willDeactivate
    case didDeactivate(SessionOutcome)
    /// A row of a table of all sessions (A12).
    case row(QueueRow)

    // The names that values without a label have in `events.jsonl`.
    private enum DidDeactivateCodingKeys: String, CodingKey { case _0 = "outcome" }
    private enum RowCodingKeys: String, CodingKey { case _0 = "change" }

    package var sentence: String {
        switch self {
        case .willActivate: "will activate"
        case .didActivate: "did activate"
        case .willStartRunning: "will start running"
        case .didStartRunning: "did start running"
        case .canAcceptPaths: "can accept paths"
        case .didStartFile(let name): "starts \(name)"
        case .progress(let name, let done, let total): "has moved \(done) of \(total) of \(name)"
        case .didStopFile(let name): "stops \(name)"
        case .willStopRunning: "will stop running"
        case .didStopRunning: "did stop running"
        case .willDeactivate: "will deactivate"
        case .didDeactivate(let outcome): "did deactivate: \(outcome.sentence)"
        case .row(.inserted(let index)): "has a new row at \(index)"
        case .row(.removed(let index)): "has its row at \(index) no more"
        case .row(.moved(let from, let to)): "has its row moved from \(from) to \(to)"
        case .row(.updated(let index)): "looks different, in the row at \(index)"
        }
    }
}

/// What happens to a session's row in a table of all sessions.
package enum QueueRow: Hashable, Sendable, Codable {
    case inserted(at: Int)
    case removed(at: Int)
    case moved(from: Int, to: Int)
    case updated(at: Int)
}

/// What an app can want done with a session of its queue (A4 to A7, A10).
public enum SessionWish: String, Hashable, Sendable, Codable, CaseIterable {
    case run, cancel, stop, pause, resume, remove
}

/// How an activation ended, as the app can read it from the session.
package enum SessionOutcome: Hashable, Sendable, Codable {
    case completed
    /// Error numbers and names are the published ones (behaviour A16).
    case failed(code: Int, message: String)
    /// The queue does not run it again by itself (A4).
    case cancelled
    /// Interrupted; the queue runs the session again by itself.
    case stopped(by: SessionStop)

    package var sentence: String {
        switch self {
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .stopped(let stop): "stopped, as \(stop.sentence)"
        case .failed(let code, let message): "failed with error \(code), \(message)"
        }
    }
}

/// What ended an activation that was not at its end.
package enum SessionStop: String, Hashable, Sendable, Codable {
    /// A background task expired (A11).
    case expiry
    /// The app stopped it (A5), or the whole queue (A8).
    case session, queue
    /// Another one was to run at once (A7).
    case preemption

    var sentence: String {
        switch self {
        case .expiry: "the time in the background was up"
        case .session: "the app wanted it"
        case .queue: "the queue was"
        case .preemption: "another session was to run first"
        }
    }
}
