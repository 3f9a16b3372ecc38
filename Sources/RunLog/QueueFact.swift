package import Quantities

/// The transfer queue as the app sees it: what it asked for, and what it was told.
package enum QueueFact: Hashable, Sendable, Codable {
    /// The app's queue was started.
    case started
    /// The queue took a session, at this index, and promised to keep it. A launch says it again of
    /// a session that never ran: the app that added it may have died before it heard.
    case accepted(ItemName, index: Int, [AcceptedTransfer])
    /// The queue would not take it; the app got this error.
    case refused(reason: String)
    case callback(ItemName, SessionCallback)
    /// A session that was accepted does not use every network (B13).
    case limited(ItemName, SessionLimits)

    // The names that values without a label have in `events.jsonl`.
    private enum AcceptedCodingKeys: String, CodingKey {
        case _0 = "session", index, _2 = "transfers"
    }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "session", _1 = "call" }
    private enum LimitedCodingKeys: String, CodingKey { case _0 = "session", _1 = "limits" }

    package var sentence: String {
        switch self {
        case .started: "the app starts the queue"
        case .accepted(let session, let index, let transfers):
            "\(session) is enqueued at index \(index): "
                + transfers.map { "\($0.source) to \($0.destination)" }.joined(separator: ", ")
        case .refused(let reason): "the queue refuses: \(reason)"
        case .callback(let session, let callback): "\(session) \(callback.sentence)"
        case .limited(let session, let limits): "\(session) is sent \(limits.sentence)"
        }
    }
}

/// One file of an accepted session.
package struct AcceptedTransfer: Hashable, Sendable, Codable {
    package var transfer: TransferName
    package var source: String
    package var destination: String

    package init(transfer: TransferName, source: String, destination: String) {
        self.transfer = transfer
        self.source = source
        self.destination = destination
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

/// What a session may not use.
package struct SessionLimits: Hashable, Sendable, Codable {
    package var allowsCellular: Bool
    package var allowsMetered: Bool
    package var allowsLowData: Bool

    package init(allowsCellular: Bool, allowsMetered: Bool, allowsLowData: Bool) {
        self.allowsCellular = allowsCellular
        self.allowsMetered = allowsMetered
        self.allowsLowData = allowsLowData
    }

    var sentence: String {
        [
            allowsCellular ? nil : "not over cellular",
            allowsMetered ? nil : "not over a metered network",
            allowsLowData ? nil : "not in low data mode",
        ].compactMap(\.self).joined(separator: ", ")
    }
}
