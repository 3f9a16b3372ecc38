package import Protocols

/// A decision for the log. A host has nothing to carry out.
public struct Note: Hashable, Sendable {
    package let fact: Fact

    init(_ fact: Fact) { self.fact = fact }
}

/// The fact as a sentence, such as `session 1, attempt 2`.
extension Note: CustomStringConvertible {
    public var description: String { fact.sentence }
}

extension Note: Encodable {
    private struct Subject: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Subject.self)
        try container.encode(fact.content, forKey: Subject(stringValue: fact.subject))
    }
}

extension Note {
    /// The transfer that the note says is complete.
    package var completed: TransferID? {
        if case .engine(.completes(let transfer)) = fact {
            TransferID(transfer.number)
        } else {
            nil
        }
    }
}

extension [AttemptOutput] {
    mutating func note(_ fact: Fact) { append(.note(Note(fact))) }
}

extension Fact {
    package static func request(_ head: HTTPRequestHead, on connection: ConnectionID) -> Fact {
        .connection(
            .request(connection.name, method: head.method, target: head.loggedTarget))
    }

    static func response(_ head: HTTPResponseHead, on connection: ConnectionID) -> Fact {
        let retryAfter = head.fields["Retry-After"].map {
            RetryAfter(field: $0, date: head.fields["Date"])
        }
        return .connection(
            .response(connection.name, status: head.status, retryAfter: retryAfter))
    }
}

// The names of engine numbers in facts; a recorder makes them unique in a run.

extension SessionID {
    public var name: ItemName { ItemName(number) }
}

extension OperationID {
    var name: ItemName { ItemName(number, of: .operations) }
}

extension EntryID {
    package var name: ItemName { ItemName(number, of: .bucket) }
}

extension TaskID {
    /// The name includes the app's place, as several apps share a daemon.
    package var name: ItemName { ItemName(transfer.number, of: .background) }
}

extension TransferID {
    package var name: TransferName {
        if let entry = EntryID(self) { return TransferName(entry.name) }
        if let operation = OperationID(self) { return TransferName(operation.name) }
        if let path = PathID(self) { return TransferName(path: path.number, ofLaunch: 1) }
        return TransferName(number)
    }
}

extension ConnectionID {
    /// The name has launch 0, as an engine knows of its own launch only.
    package var name: ConnectionName { ConnectionName(launch: 0, number: number) }
}

extension AccountID {
    var name: AccountName { AccountName(number) }
}

extension AcceptedTransfer {
    init(_ record: TransferRecord, isDownload: Bool = false) {
        self.init(
            transfer: record.id.name, source: record.source, destination: record.destination,
            isDownload: isDownload)
    }
}

// MARK: The states of all tables as stages of an item

extension SessionState {
    package var stage: ItemStage {
        switch self {
        case .waiting: .waiting
        case .running: .running
        case .retrying: .retrying
        case .paused: .paused
        case .preempted: .preempted
        case .preemptedPaused: .preemptedPaused
        case .cancelled: .cancelled
        case .completed: .completed
        case .failed: .failed
        }
    }
}

extension OperationState {
    var stage: ItemStage {
        switch self {
        case .ongoing: .running
        case .completed: .completed
        case .failed, .unlisted: .failed
        }
    }
}

extension EntryState {
    var stage: ItemStage {
        switch self {
        case .fresh: .waiting
        case .ongoing: .running
        case .suspended: .suspended
        case .completed: .completed
        case .terminated: .cancelled
        case .failed: .failed
        }
    }
}

extension TaskState {
    func stage(_ outcome: TaskOutcome?) -> ItemStage {
        switch (self, outcome) {
        case (.suspended, _): .suspended
        case (.running, _): .running
        case (.finished, .failed), (.finished, nil): .failed
        case (.finished, .answered): .completed
        }
    }
}
