package import Quantities

/// The room that the apps of a phone share for their files and stores, on a disk in this condition.
///
/// Whoever wants to do something asks for permission first, and then does all of it or nothing.
package struct DiskSpace: Hashable, Sendable {
    package var condition: DiskCondition
    /// For all of them together; `nil`: there is always enough.
    package let capacity: ByteCount?
    package private(set) var used: ByteCount

    package init(capacity: ByteCount? = nil, used: ByteCount = .zero) {
        condition = DiskCondition()
        self.capacity = capacity
        self.used = used
    }

    package func permit(_ operation: DiskCondition.Operation) throws(DiskRefusal) {
        if let refusal = condition.refusal(of: operation) { throw refusal }
    }

    /// A file is about to have another size, or other bytes where the size stays.
    package mutating func permitWrite(
        from size: ByteCount, to newSize: ByteCount
    ) throws(DiskRefusal) {
        guard newSize > size else {
            try permit(.writeInPlace)
            return changed(from: size, to: newSize)
        }
        try permit(.grow)
        if let capacity, newSize - size > capacity - min(used, capacity) { throw .noSpace }
        changed(from: size, to: newSize)
    }

    /// So much was there and is gone, or was gone and is there again: nobody was asked. What a file
    /// without a name still gives back was given back with its name.
    package mutating func changed(from size: ByteCount, to newSize: ByteCount) {
        used = used + newSize - min(size, used + newSize)
    }
}
