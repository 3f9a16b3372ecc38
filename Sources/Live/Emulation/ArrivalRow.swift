import Quantities

/// Packets on the way, by arrival; of equal arrivals the earlier packet comes first.
struct ArrivalRow {
    private var entries: [Entry] = []
    /// Entries before it are gone.
    private var head = 0

    struct Entry {
        var arrival: Instant
        var place: Int32
    }

    init() { entries.reserveCapacity(2 * Self.worthMoving) }

    var first: Entry? { head < entries.count ? entries[head] : nil }

    /// Searches from the end, where most packets belong.
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
