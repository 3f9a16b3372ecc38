/// Something that owns raw memory, so that a copy of it has to be asked for.
///
/// A clone is taken as it lies in memory, word by word; then it gets memory of its own. So no
/// number that is added later can be forgotten; and whoever forgets something that is owned finds
/// out, since that is freed twice.
package protocol Clonable: ~Copyable {
    /// This is a copy that shares everything with its original: makes its own of what that owns.
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

    /// Counts once more what a value refers to, as an array does: the clone has it, too.
    package func keep<Value>(_ value: Value) {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        // Not deinitialized: what was counted stays counted.
        place.deallocate()
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory of its own with the same words in it, for what owns nothing.
    package func cloned(capacity: Int, alignment: Int = MemoryLayout<Pointee>.alignment) -> Self {
        let byteCount = capacity * MemoryLayout<Pointee>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
        memory.copyMemory(from: UnsafeRawPointer(self), byteCount: byteCount)
        return memory.bindMemory(to: Pointee.self, capacity: capacity)
    }
}
