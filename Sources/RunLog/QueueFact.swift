package import Quantities

/// The transfer queue as the app sees it: what it asked for, and what it was told.
package enum QueueFact: Hashable, Sendable, Codable {
    /// The app's queue was started.
    case started
    /// The queue would not take it; the app got this error.
    case refused(reason: String)
    case callback(ItemName, SessionCallback)
    /// The app is told that its store was damaged, and stands under this name now.
    case storeWasSetAside(as: String)

    // The names that values without a label have in `events.jsonl`.
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "session", _1 = "call" }

    package var sentence: String {
        switch self {
        case .started: "the app starts the queue"
        case .refused(let reason): "the queue refuses: \(reason)"
        case .callback(let session, let callback): "\(session) \(callback.sentence)"
        case .storeWasSetAside(let name):
            "the app is told that its store was damaged and is set aside as \(name)"
        }
    }
}

/// A delegate call of the transfer queue (behaviour A1).
package enum SessionCallback: Hashable, Sendable, Codable {
    case willActivate, didActivate
    case willStartRunning, didStartRunning
    case didStartFile(name: String)
    case progress(name: String, done: ByteCount, total: ByteCount)
    case didStopFile(name: String)
    case willStopRunning, didStopRunning
    case willDeactivate
    case didDeactivate(SessionOutcome)

    // The names that values without a label have in `events.jsonl`.
    private enum DidDeactivateCodingKeys: String, CodingKey { case _0 = "outcome" }

    package var sentence: String {
        switch self {
        case .willActivate: "will activate"
        case .didActivate: "did activate"
        case .willStartRunning: "will start running"
        case .didStartRunning: "did start running"
        case .didStartFile(let name): "starts \(name)"
        case .progress(let name, let done, let total): "has moved \(done) of \(total) of \(name)"
        case .didStopFile(let name): "stops \(name)"
        case .willStopRunning: "will stop running"
        case .didStopRunning: "did stop running"
        case .willDeactivate: "will deactivate"
        case .didDeactivate(let outcome): "did deactivate: \(outcome.sentence)"
        }
    }
}

/// How an activation ended, as the app can read it from the session.
package enum SessionOutcome: Hashable, Sendable, Codable {
    case completed
    /// Error numbers and names are the published ones (behaviour A16).
    case failed(code: Int, message: String)
    /// Interrupted; the queue runs the session again by itself.
    case stopped(by: SessionStop)

    package var sentence: String {
        switch self {
        case .completed: "completed"
        case .stopped(.expiry): "stopped, as the time in the background was up"
        case .failed(let code, let message): "failed with error \(code), \(message)"
        }
    }
}

/// What ended an activation that was not at its end.
package enum SessionStop: String, Hashable, Sendable, Codable {
    /// A background task expired (A11).
    case expiry
}
