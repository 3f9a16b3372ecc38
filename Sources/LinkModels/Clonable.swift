/// A type that owns raw memory and is copied explicitly. A clone is copied word by word and then
/// gets memory of its own. A new plain field therefore cannot be forgotten. Forgotten memory shows
/// at once, because it is freed twice.
package protocol Clonable: ~Copyable {
    /// Gives this bitwise copy its own memory instead of its original's.
    mutating func unshare()
}

extension Clonable where Self: ~Copyable {
    package func clone() -> Self {
        let place = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        defer { place.deallocate() }
        withUnsafePointer(to: self) { original in
            UnsafeMutableRawPointer(place).copyMemory(
                from: UnsafeRawPointer(original), byteCount: MemoryLayout<Self>.size)
        }
        place.pointee.unshare()
        return place.move()
    }

    /// Retains the references of a value such as an array, for the clone.
    package func keep<Value>(_ value: Value) {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        // Not deinitialized, to keep the retain.
        place.deallocate()
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Returns new memory with the same content, for types that own nothing.
    package func cloned(capacity: Int, alignment: Int = MemoryLayout<Pointee>.alignment) -> Self {
        let byteCount = capacity * MemoryLayout<Pointee>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
        memory.copyMemory(from: UnsafeRawPointer(self), byteCount: byteCount)
        return memory.bindMemory(to: Pointee.self, capacity: capacity)
    }
}
