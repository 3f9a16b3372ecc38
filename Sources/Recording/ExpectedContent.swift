import TransferEngine

/// What a store should hold, computed from what it was asked to keep (S7): a mark for each of its
/// records.
struct ExpectedContent<Kept: Hashable & Sendable>: Sendable {
    private(set) var digest = StoreContentDigest()
    private var marks: [Kept: UInt64] = [:]
    /// Changes that the store has not answered yet, and what stood there before each.
    private var unanswered: [(ticket: PersistTicket, kept: Kept, before: UInt64?)] = []

    var count: Int { marks.count }

    /// In any order.
    var kept: Dictionary<Kept, UInt64>.Keys { marks.keys }

    /// It stands there as the store is opened.
    mutating func found(_ kept: Kept, _ mark: UInt64?) { replace(kept, mark) }

    /// It stands so once the store has the change; `nil` is gone.
    mutating func asked(_ kept: Kept, _ mark: UInt64?, by ticket: PersistTicket) {
        unanswered.append((ticket, kept, marks[kept]))
        replace(kept, mark)
    }

    mutating func promised(_ ticket: PersistTicket) {
        unanswered.removeAll { $0.ticket <= ticket }
    }

    /// A change that the store refused never was: what stood there before stands there still.
    mutating func refused(_ ticket: PersistTicket) {
        guard let place = unanswered.firstIndex(where: { $0.ticket == ticket }) else { return }
        let refused = unanswered.remove(at: place)
        if let later = unanswered.firstIndex(where: { $0.kept == refused.kept }) {
            unanswered[later].before = refused.before
        } else {
            replace(refused.kept, refused.before)
        }
    }

    /// What the store has to hold once it has each of the changes that it has not answered yet.
    var pending: [(ticket: PersistTicket, digest: StoreContentDigest)] {
        var (digest, marks) = (digest, marks)
        var pending: [(PersistTicket, StoreContentDigest)] = []
        for change in unanswered.reversed() {
            pending.append((change.ticket, digest))
            digest.replace(mark: marks[change.kept], with: change.before)
            marks[change.kept] = change.before
        }
        return pending.reversed()
    }

    private mutating func replace(_ kept: Kept, _ mark: UInt64?) {
        digest.replace(mark: marks[kept], with: mark)
        marks[kept] = mark
    }
}
