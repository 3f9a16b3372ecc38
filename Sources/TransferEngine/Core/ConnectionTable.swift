/// The connections of a process: their numbers, and the items for which they are open.
struct ConnectionTable: Hashable, Sendable {
    private var last: ConnectionID
    private var owners: [ConnectionID: ItemName] = [:]

    /// Counts on from earlier processes that share the numbers.
    init(after last: ConnectionID = ConnectionID(0)) { self.last = last }

    mutating func next(for item: ItemName) -> ConnectionID {
        last.number += 1
        owners[last] = item
        return last
    }

    /// Numbers a connection that belongs to no item.
    mutating func next() -> ConnectionID {
        last.number += 1
        return last
    }

    /// The item for which the connection was opened, while the item uses it.
    func owner(of connection: ConnectionID) -> ItemName? { owners[connection] }

    /// Forgets a connection that is closed or about to be.
    mutating func forget(_ connection: ConnectionID) { owners[connection] = nil }
}
