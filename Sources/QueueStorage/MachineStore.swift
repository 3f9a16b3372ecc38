import TransferEngine

/// A store that keeps what its machine asks for.
package protocol MachineStore<Change>: ~Copyable {
    associatedtype Change

    mutating func apply(_ change: Change) throws(StoreError)
}

extension QueueStore: MachineStore {}
extension TaskStore: MachineStore {}
