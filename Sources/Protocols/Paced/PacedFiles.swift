/// Files that wait to be sent, in order.
struct PacedFiles: Sendable {
    /// Whether no file will follow.
    var isClosed = false
    private var rows: [Row] = []
    private var head = 0
    /// The bytes of all of them that were not taken yet.
    private(set) var waiting: UInt64 = 0
    /// The bytes of all of them that were taken.
    private(set) var taken: UInt64 = 0

    private struct Row {
        var file: UInt32
        var offset: UInt64
        var end: UInt64

        mutating func take(atMost count: UInt64) -> PacedChunk {
            let length = min(count, end - offset)
            defer { offset += length }
            return PacedChunk(file: file, offset: offset, length: UInt32(length))
        }
    }

    var isEmpty: Bool { head == rows.count }

    mutating func add(file: UInt32, from offset: UInt64, to end: UInt64) {
        precondition(!isClosed, "file \(file) is added to a session that is to end")
        guard offset < end else { return }
        waiting += end - offset
        if head < rows.count, rows[rows.count - 1].file == file, rows[rows.count - 1].end == offset
        {
            rows[rows.count - 1].end = end
            return
        }
        if head > 1_024, head > rows.count / 2 {
            rows.removeFirst(head)
            head = 0
        }
        rows.append(Row(file: file, offset: offset, end: end))
    }

    /// Takes the next piece, of at most so many bytes.
    mutating func take(atMost count: Int) -> PacedChunk? {
        guard head < rows.count else { return nil }
        let chunk = rows[head].take(atMost: UInt64(count))
        waiting -= UInt64(chunk.length)
        taken += UInt64(chunk.length)
        if rows[head].offset == rows[head].end { head += 1 }
        return chunk
    }

    mutating func stop() {
        rows = []
        head = 0
        waiting = 0
    }
}

/// Chunks that wait to be sent again.
struct ChunkQueue: Sendable {
    private var rows: [PacedChunk] = []
    private var head = 0

    var isEmpty: Bool { head == rows.count }

    /// The length of the first chunk; zero if there is none.
    var firstLength: Int { isEmpty ? 0 : Int(rows[head].length) }

    mutating func append(_ chunk: PacedChunk) { rows.append(chunk) }

    /// Drops what comes first, as far as it is content of file 0 below an offset.
    mutating func drop(below offset: UInt64) {
        while head < rows.count, rows[head].file == 0, rows[head].offset < offset {
            let known = min(offset - rows[head].offset, UInt64(rows[head].length))
            rows[head].offset += known
            rows[head].length -= UInt32(known)
            guard rows[head].length == 0 else { return }
            removeFirst()
        }
    }

    /// Takes the first chunk, or as much of it as fits.
    mutating func take(atMost count: Int) -> PacedChunk? {
        guard head < rows.count else { return nil }
        var chunk = rows[head]
        if Int(chunk.length) > count {
            chunk.length = UInt32(count)
            rows[head].offset += UInt64(count)
            rows[head].length -= UInt32(count)
            return chunk
        }
        removeFirst()
        return chunk
    }

    private mutating func removeFirst() {
        head += 1
        guard head == rows.count else { return }
        rows.removeAll(keepingCapacity: true)
        head = 0
    }
}
