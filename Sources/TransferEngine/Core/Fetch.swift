import Content
import Quantities

/// An object that is being received: what has come of it, what was handed on to be kept, and what
/// is.
struct Fetch: Hashable, Sendable {
    let id: TransferID
    /// Where it is kept.
    let path: String
    /// Of the object, if the server has said it.
    let total: ByteCount?
    /// The next byte that is handed on.
    private var next: ByteCount
    /// So many are where they belong.
    private(set) var kept: ByteCount
    /// The answer has come to its end.
    var isOver = false
    private var reported: ByteCount

    init(_ transfer: TransferRecord, from offset: ByteCount, total: ByteCount?) {
        id = transfer.id
        path = transfer.landing
        self.total = total
        next = offset
        kept = offset
        reported = offset
    }

    /// The first of them cuts off what stands behind it.
    mutating func keep(_ segments: [Segment], into wanted: inout [AttemptOutput]) {
        guard !segments.isEmpty else { return }
        wanted.append(.keep(id, path: path, segments, at: next))
        for segment in segments { next += segment.length }
    }

    /// Each hundredth of it, and the last byte, is told.
    mutating func hasKept(_ count: ByteCount) -> Lane.Progress? {
        kept = count
        let total = total ?? count
        let step = ByteCount(max(total.bytes / 100, 1))
        guard kept >= reported + step || kept == total && kept > reported else { return nil }
        reported = kept
        return Lane.Progress(done: kept, total: total)
    }

    var isComplete: Bool { isComplete(with: kept) }

    /// Whether it is all there once so much of it is kept.
    func isComplete(with kept: ByteCount) -> Bool {
        isOver && kept == next && (total == nil || kept == total)
    }
}
