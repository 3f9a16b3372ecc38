import Content
import Quantities

/// An object that is being received, from answer to disk.
struct Fetch: Hashable, Sendable {
    let id: TransferID
    /// The file in which it is kept.
    let path: String
    /// The object's size, if the server has told it.
    let total: ByteCount?
    /// The offset of the next byte to hand to the disk.
    private var next: ByteCount
    /// Bytes that are on disk.
    private(set) var kept: ByteCount
    /// Whether the answer has ended.
    var isOver = false
    private var reported: ByteCount
    private let from: ByteCount

    init(_ transfer: TransferRecord, from offset: ByteCount, total: ByteCount?) {
        id = transfer.id
        path = transfer.landing
        self.total = total
        next = offset
        kept = offset
        reported = offset
        from = offset
    }

    /// Hands segments to the disk, which cuts off everything after them.
    mutating func keep(_ segments: [Segment], into wanted: inout [AttemptOutput]) {
        guard !segments.isEmpty else { return }
        wanted.append(.keep(id, path: path, segments, at: next))
        for segment in segments { next += segment.length }
    }

    /// Returns the progress to report: at each hundredth, and at the last byte.
    mutating func hasKept(_ count: ByteCount) -> Lane.Progress? {
        kept = count
        let total = total ?? count
        let step = ByteCount(max(total.bytes / 100, 1))
        guard kept >= reported + step || kept == total && kept > reported else { return nil }
        reported = kept
        return Lane.Progress(from: from, done: kept, total: total)
    }

    var isComplete: Bool { isComplete(with: kept) }

    /// Whether the object is complete once this many bytes are on disk.
    func isComplete(with kept: ByteCount) -> Bool {
        isOver && kept == next && (total == nil || kept == total)
    }
}
