/// What the app sees of a transfer, whichever way it has asked for it: for whom something is done.
public struct ItemID: Hashable, Sendable, Encodable {
    public var facade: Facade
    public var number: UInt64

    public init(_ session: SessionID) {
        facade = .queue
        number = session.number
    }

    init(_ operation: OperationID) {
        facade = .operations
        number = operation.number
    }

    init(_ task: TaskID) {
        facade = .background
        number = task.transfer.number
    }

    init(_ entry: EntryID) {
        facade = .bucket
        number = entry.number
    }

    /// By which of its faces an app asked for something.
    public enum Facade: Hashable, Sendable, Encodable {
        case queue, operations, background, bucket
    }
}
