import TransferEngine

/// What a store should hold, computed from what it was asked to keep (S7).
struct ExpectedContent: Sendable {
    private(set) var digest = StoreContentDigest()
    private var marks: [Kept: UInt64] = [:]
    /// Changes that the store has not answered yet, and what stood there before each.
    private var unanswered: [(ticket: PersistTicket, kept: Kept, before: UInt64?)] = []

    /// One record of the store.
    enum Kept: Hashable, Sendable {
        case session(SessionID)
        case entry(EntryID)
    }

    /// What the store was found to hold.
    init(_ sessions: [SessionRecord], _ entries: [EntryRecord]) {
        for record in sessions { replace(.session(record.id), StoreContentDigest.mark(of: record)) }
        for record in entries { replace(.entry(record.id), StoreContentDigest.mark(of: record)) }
    }

    var count: Int { marks.count }

    var sessions: [SessionID] {
        // any order: they are sorted then
        marks.keys.compactMap { if case .session(let id) = $0 { id } else { nil } }.sorted()
    }

    var entries: [EntryID] {
        // any order: they are sorted then
        marks.keys.compactMap { if case .entry(let id) = $0 { id } else { nil } }.sorted()
    }

    mutating func asked(_ change: StoreChange, by ticket: PersistTicket) {
        switch change {
        case .put(let record):
            ask(ticket, .session(record.id), StoreContentDigest.mark(of: record))
        case .remove(let session): ask(ticket, .session(session), nil)
        case .putEntry(let record):
            ask(ticket, .entry(record.id), StoreContentDigest.mark(of: record))
        case .removeEntry(let entry): ask(ticket, .entry(entry), nil)
        case .forgetSetAside: break
        }
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

    private mutating func ask(_ ticket: PersistTicket, _ kept: Kept, _ mark: UInt64?) {
        unanswered.append((ticket, kept, marks[kept]))
        replace(kept, mark)
    }

    private mutating func replace(_ kept: Kept, _ mark: UInt64?) {
        digest.replace(mark: marks[kept], with: mark)
        marks[kept] = mark
    }
}

extension StoreChange {
    /// The paths that are handed to the store.
    var paths: [String] {
        switch self {
        case .put(let record): record.transfers.map(\.source)
        case .putEntry(let record):
            record.isDownload ? [record.path, record.transfer.destination] : [record.path]
        case .remove, .removeEntry, .forgetSetAside: []
        }
    }
}
