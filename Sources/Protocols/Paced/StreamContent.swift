/// Bytes of a stream from an offset on, in a ring that grows with what it has to hold.
package struct StreamContent: ~Copyable {
    /// The first offset that is kept.
    package private(set) var start: UInt64 = 0
    private var ring = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The offset after the last byte that was written.
    private var end: UInt64 = 0

    private static let smallest = 1 << 16
    /// An empty ring that is larger is given back.
    private static let largestIdle = 1 << 20

    package init() {}

    deinit { ring.deallocate() }

    /// Puts bytes at an offset, which is not below `start`.
    package mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
        precondition(offset >= start, "the bytes at \(offset) are given back up to \(start)")
        makeRoom(upTo: offset + UInt64(bytes.count))
        var done = 0
        while done < bytes.count {
            let place = place(of: offset + UInt64(done))
            let count = min(bytes.count - done, ring.count - place)
            UnsafeMutableRawBufferPointer(rebasing: ring[place..<place + count]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]))
            done += count
        }
        end = max(end, offset + UInt64(bytes.count))
    }

    /// Copies the bytes from an offset on, as many as there is room for.
    package func copy(from offset: UInt64, to bytes: UnsafeMutableRawBufferPointer) {
        precondition(
            offset >= start && offset + UInt64(bytes.count) <= end,
            "\(bytes.count) B at \(offset) are not there")
        var done = 0
        while done < bytes.count {
            let place = place(of: offset + UInt64(done))
            let count = min(bytes.count - done, ring.count - place)
            UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + count]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: ring[place..<place + count]))
            done += count
        }
    }

    /// Gives back all bytes below an offset.
    package mutating func forget(below offset: UInt64) {
        guard offset > start else { return }
        start = offset
        end = max(end, start)
        guard start == end, ring.count > Self.largestIdle else { return }
        ring.deallocate()
        ring = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    private func place(of offset: UInt64) -> Int {
        Int(truncatingIfNeeded: offset) & (ring.count - 1)
    }

    private mutating func makeRoom(upTo limit: UInt64) {
        let needed = Int(limit - start)
        guard needed > ring.count else { return }
        var size = max(ring.count, Self.smallest)
        while size < needed { size *= 2 }
        let wider = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        var offset = start
        while offset < end {
            let place = place(of: offset)
            let next = Int(truncatingIfNeeded: offset) & (size - 1)
            let count = min(ring.count - place, size - next, Int(end - offset))
            UnsafeMutableRawBufferPointer(rebasing: wider[next..<next + count]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: ring[place..<place + count]))
            offset += UInt64(count)
        }
        ring.deallocate()
        ring = wider
    }
}
