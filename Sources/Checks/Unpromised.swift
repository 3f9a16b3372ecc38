import RunLog

/// Changes that the store has not yet confirmed: a kill may undo these, and no others. A change
/// belongs to the next request in the log. A committed item includes all its earlier changes.
struct Unpromised<Change: Sendable>: Sendable {
    private(set) var entries: [Entry] = []

    struct Entry: Sendable {
        var item: ItemName
        var change: Change
        fileprivate var hasMoved = false
        fileprivate var request: Request?
    }

    /// A request to the store of a phone's daemon, or of an app.
    fileprivate struct Request: Hashable, Sendable {
        var device: UInt16?
        var ticket: UInt64
    }

    mutating func add(_ change: Change, of item: ItemName) {
        entries.append(Entry(item: item, change: change))
    }

    /// Notes that an item enters another state. The request to keep what led to it only comes now:
    /// earlier ones were for other items.
    mutating func moves(_ item: ItemName) {
        for place in entries.indices where entries[place].item == item && !entries[place].hasMoved {
            entries[place].hasMoved = true
            entries[place].request = nil
        }
    }

    mutating func read(_ fact: StoreFact, of device: UInt16? = nil) {
        switch fact {
        case .requested(let ticket, _, _):
            let request = Request(device: device, ticket: ticket)
            for place in entries.indices where entries[place].request == nil {
                entries[place].request = request
            }
        case .committed(let ticket):
            let request = Request(device: device, ticket: ticket)
            while let place = entries.lastIndex(where: { $0.request == request }) {
                let item = entries[place].item
                let later = entries[(place + 1)...]
                entries = entries[..<place].filter { $0.item != item } + later
            }
        case .setAside, .opened, .failed: break
        }
    }

    mutating func removeAll() { entries.removeAll() }

    /// Removes and returns what the store of this phone's daemon may lack.
    mutating func takeAll(of device: UInt16?) -> [Entry] {
        let all = entries
        entries.removeAll { $0.request == nil || $0.request?.device == device }
        return all.filter { $0.request == nil || $0.request?.device == device }
    }
}
