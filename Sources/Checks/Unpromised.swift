import RunLog

/// Changes that the store has not yet confirmed: a kill may undo these, and no others. A change
/// belongs to the next request in the log. A committed item includes all its earlier changes.
struct Unpromised<Change: Sendable>: Sendable {
    private(set) var entries: [Entry] = []

    struct Entry: Sendable {
        var item: ItemName
        var change: Change
        fileprivate var ticket: UInt64?
    }

    mutating func add(_ change: Change, of item: ItemName) {
        entries.append(Entry(item: item, change: change))
    }

    mutating func read(_ fact: StoreFact) {
        switch fact {
        case .requested(let ticket, _, _):
            for place in entries.indices where entries[place].ticket == nil {
                entries[place].ticket = ticket
            }
        case .committed(let ticket):
            while let place = entries.lastIndex(where: { $0.ticket == ticket }) {
                let item = entries[place].item
                let later = entries[(place + 1)...]
                entries = entries[..<place].filter { $0.item != item } + later
            }
        case .setAside, .opened, .failed: break
        }
    }

    mutating func removeAll() { entries.removeAll() }
}
