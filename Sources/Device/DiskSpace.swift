package import Quantities

/// The room that the apps of a phone share for their files and stores, and the condition of the
/// disk. A caller asks for permission first, and then performs the whole operation or nothing.
package struct DiskSpace: Hashable, Sendable {
    package var condition: DiskCondition
    /// The capacity for all apps together; `nil` means unlimited.
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

    /// Asks to change a file's size, or its bytes at the same size.
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

    /// Notes a change of size without permission, such as a deletion. A deleted file gives back its
    /// room with its name.
    package mutating func changed(from size: ByteCount, to newSize: ByteCount) {
        used = used + newSize - min(size, used + newSize)
    }
}
