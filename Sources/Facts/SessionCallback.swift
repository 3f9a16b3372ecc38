public import Quantities

/// A delegate call of the transfer queue (behaviour A1).
public enum SessionCallback: Hashable, Sendable, Codable {
    case willActivate, didActivate
    case willStartRunning, didStartRunning
    /// Paths may now be added to a persistent session (P2).
    case canAcceptPaths
    case didStartFile(name: String)
    /// The progress of a file, and of all files of its session. A persistent session has no set of
    /// files of which it could tell the progress.
    case progress(
        name: String, done: ByteCount, total: ByteCount, ofSession: SessionProgress? = nil)
    case didStopFile(name: String)
    case willStopRunning, didStopRunning
    case willDeactivate
    case didDeactivate(SessionResult)
    /// A row of a table of all sessions (A12).
    case row(RowChange)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case willActivate, didActivate, willStartRunning, didStartRunning, canAcceptPaths
        case didStartFile, progress, didStopFile, willStopRunning, didStopRunning, willDeactivate
        case didDeactivate, row
    }
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
        case .progress(let name, let done, let total, let session):
            "has moved \(done) of \(total) of \(name)\(session?.words(besides: total) ?? "")"
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

/// How far a session is, over all of its files (A12).
public struct SessionProgress: Hashable, Sendable, Codable {
    /// The bytes of files that have arrived, and those of other files as far as they came.
    public var done: ByteCount
    /// The size of all files; `nil` until each is known. Downloads become known one by one.
    public var total: ByteCount?

    public init(done: ByteCount, total: ByteCount?) {
        self.done = done
        self.total = total
    }

    /// The words after the progress of a file of this size, unless it is the only file.
    fileprivate func words(besides file: ByteCount) -> String {
        guard total != file else { return "" }
        return ", and \(done) of \(total.map(\.description) ?? "an unknown size") in all"
    }
}

/// A change of a session's row in a table of all sessions.
public enum RowChange: Hashable, Sendable, Codable {
    case inserted(at: Int)
    case removed(at: Int)
    case moved(from: Int, to: Int)
    case updated(at: Int)

    private enum CodingKeys: CodingKey, CaseIterable { case inserted, removed, moved, updated }
}

/// A request of an app about a session of its queue (A4 to A7, A10).
public enum SessionWish: String, Hashable, Sendable, Codable, CaseIterable {
    case run, cancel, stop, pause, resume, remove
}

/// The result of an activation, as the app can read it from the session.
public enum SessionResult: Hashable, Sendable, Codable {
    case completed
    /// Codes and messages are the published ones (behaviour A16).
    case failed(code: Int, message: String)
    /// The queue does not run the session again by itself (A4).
    case cancelled
    /// Interrupted; the queue runs the session again by itself.
    case stopped(by: SessionStop)

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case completed, failed, cancelled, stopped
    }

    package var sentence: String {
        switch self {
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .stopped(let stop): "stopped, as \(stop.sentence)"
        case .failed(let code, let message): "failed with error \(code), \(message)"
        }
    }
}

/// What interrupted an activation.
public enum SessionStop: String, Hashable, Sendable, Codable, CaseIterable {
    /// A background task expired (A11).
    case expiry
    /// The app stopped the session (A5), or the whole queue (A8).
    case session, queue
    /// Another session had to run at once (A7).
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
