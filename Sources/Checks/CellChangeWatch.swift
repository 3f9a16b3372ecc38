import Quantities
import RunLog

/// The changes of a link's cell that lose what waits: a packet leaves in the cell in which it was
/// sent, or not at all.
struct CellChangeWatch: Sendable {
    private let period: UInt64
    private let gap: UInt64
    private var latestCell: UInt64 = 0
    /// How often packets have moved on after a change.
    private(set) var count = 0

    init(_ terms: CellTerms) {
        period = terms.every.nanoseconds.magnitude
        gap = terms.gap.nanoseconds.magnitude
    }

    /// Whether a packet that was sent at a moment can leave at another.
    mutating func allows(_ sentAt: UInt64, leaving departure: UInt64) -> Bool {
        // A gap ends a period. What comes in a gap waits for the next cell.
        let own = (sentAt + gap) / period
        let actual = departure == 0 ? 0 : (departure + gap - 1) / period
        guard actual <= own else { return false }
        if actual > latestCell {
            latestCell = actual
            count += 1
        }
        return true
    }
}
