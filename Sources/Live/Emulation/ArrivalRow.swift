import Quantities

/// The packets that are on the way, by the moment of their arrival; of equal moments the one that
/// came first.
struct ArrivalRow {
    private var entries: [Entry] = []
    /// What stands before it is gone already.
    private var head = 0

    struct Entry {
        var arrival: Instant
        var place: Int32
    }

    init() { entries.reserveCapacity(2 * Self.worthMoving) }

    var first: Entry? { head < entries.count ? entries[head] : nil }

    /// Mostly at the end: only where packets overtake each other is there a search.
    mutating func insert(_ entry: Entry) {
        var index = entries.count
        while index > head, entries[index - 1].arrival > entry.arrival { index -= 1 }
        entries.insert(entry, at: index)
    }

    mutating func removeFirst() {
        head += 1
        guard head >= Self.worthMoving, 2 * head >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }

    private static let worthMoving = 4_096
}
