/// What the app sees of a transfer, whichever way it has asked for it: for whom something is done.
package struct ItemID: Hashable, Sendable, Encodable {
    package var facade: Facade
    package var number: UInt64

    package init(_ session: SessionID) {
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

    package enum Facade: Hashable, Sendable, Encodable {
        case queue, operations, background, bucket
    }
}
