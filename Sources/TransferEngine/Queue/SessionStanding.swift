public import Quantities

/// How a session of the queue stands: what a row of a table shows of it.
public struct SessionStanding: Hashable, Sendable, Encodable {
    public let record: SessionRecord
    /// What the session waits for, if it is not its turn; `nil` also while it moves or has ended.
    public let wait: SessionWait?

    package init(_ record: SessionRecord, wait: SessionWait? = nil) {
        self.record = record
        self.wait = wait
    }

    public var id: SessionID { record.id }
    public var state: SessionState { record.state }
    public var files: [TransferRecord] { record.transfers }
    /// The last error since the session was last run by hand; `nil` once all has arrived.
    public var error: TransferError? { record.error }

    /// How far the files are. That of the file that moves comes with the callbacks.
    public var progress: SessionProgress { SessionTally(record.transfers).progress }
}

/// What a session waits for, other than its turn.
public enum SessionWait: Hashable, Sendable, Encodable {
    /// After an error: the next attempt begins at this moment of the host's clock.
    case pause(until: Instant)
    /// For a network that it may use.
    case network(because: String)
}

extension QueueMachine {
    /// Returns how the sessions that have changed stand now.
    mutating func takeStandings() -> [SessionStanding] {
        sessions.takeChanged().map { SessionStanding(sessions[$0], wait: wait(of: $0)) }
    }

    private func wait(of id: SessionID) -> SessionWait? {
        if let notedWait, notedWait.session == id {
            return .network(because: notedWait.because)
        }
        if let active, active.id == id {
            if case .pausing(let until) = active.phase { return .pause(until: until) }
            return nil
        }
        return rests[id].map { .pause(until: $0) }
    }
}
