import Facts
import TransferEngine

/// The expected content of a store, with a mark for each record (S7). It follows from the changes
/// that were requested.
struct ExpectedContent<Kept: Hashable & Sendable>: Sendable {
    private(set) var digest = StoreContentDigest()
    private var marks: [Kept: UInt64] = [:]
    /// Changes that the store has not answered yet, each with the mark before the change.
    private var unanswered: [(ticket: PersistTicket, kept: Kept, before: UInt64?)] = []

    /// The records in any order.
    var kept: Dictionary<Kept, UInt64>.Keys { marks.keys }

    /// Notes a record that the opened store holds.
    mutating func found(_ kept: Kept, _ mark: UInt64?) { replace(kept, mark) }

    /// Notes a requested change; `nil` removes the record.
    mutating func asked(_ kept: Kept, _ mark: UInt64?, by ticket: PersistTicket) {
        unanswered.append((ticket, kept, marks[kept]))
        replace(kept, mark)
    }

    /// Returns the fact that a change was requested.
    func requested(_ ticket: PersistTicket, paths: [String]) -> Fact {
        .store(.requested(ticket: ticket.number, content: digest.value, paths: paths))
    }

    /// Notes that changes are durable, and returns the fact.
    mutating func promised(_ ticket: PersistTicket) -> Fact {
        unanswered.removeAll { $0.ticket <= ticket }
        return .store(.committed(ticket: ticket.number))
    }

    /// Undoes a change that the store refused. Returns the later requests again, because they were
    /// made on top of the refused change.
    mutating func refused(_ ticket: PersistTicket) -> [Fact] {
        if let place = unanswered.firstIndex(where: { $0.ticket == ticket }) {
            let refused = unanswered.remove(at: place)
            if let later = unanswered.firstIndex(where: { $0.kept == refused.kept }) {
                unanswered[later].before = refused.before
            } else {
                replace(refused.kept, refused.before)
            }
        }
        // A copy undoes the later changes one by one, from the last back to the first.
        var rest = self
        let requests = unanswered.reversed().map { change in
            let request = rest.requested(change.ticket, paths: [])
            rest.replace(change.kept, change.before)
            return request
        }
        return requests.reversed()
    }

    private mutating func replace(_ kept: Kept, _ mark: UInt64?) {
        digest.replace(mark: marks[kept], with: mark)
        marks[kept] = mark
    }
}
