import TransferEngine

/// A record of an app's store.
enum KeptByApp: Hashable, Sendable {
    case session(SessionID)
    case entry(EntryID)
    case account(AccountID)
}

extension ExpectedContent<KeptByApp> {
    /// The content that the opened store holds.
    init(
        _ sessions: [SessionRecord], _ entries: [EntryRecord], _ accounts: [AccountRecord]
    ) {
        self.init()
        for record in sessions { found(.session(record.id), StoreContentDigest.mark(of: record)) }
        for record in entries { found(.entry(record.id), StoreContentDigest.mark(of: record)) }
        for record in accounts { found(.account(record.id), StoreContentDigest.mark(of: record)) }
    }

    /// The number of sessions and resumable transfers.
    var itemCount: Int { sessions.count + entries.count }

    var sessions: [SessionID] {
        // any order, because they are sorted
        kept.compactMap { if case .session(let id) = $0 { id } else { nil } }.sorted()
    }

    var entries: [EntryID] {
        // any order, because they are sorted
        kept.compactMap { if case .entry(let id) = $0 { id } else { nil } }.sorted()
    }

    mutating func asked(_ change: StoreChange, by ticket: PersistTicket) {
        switch change {
        case .put(let record):
            asked(.session(record.id), StoreContentDigest.mark(of: record), by: ticket)
        case .remove(let session): asked(.session(session), nil, by: ticket)
        case .putAccount(let record):
            asked(.account(record.id), StoreContentDigest.mark(of: record), by: ticket)
        case .removeAccount(let account): asked(.account(account), nil, by: ticket)
        case .putEntry(let record):
            asked(.entry(record.id), StoreContentDigest.mark(of: record), by: ticket)
        case .removeEntry(let entry): asked(.entry(entry), nil, by: ticket)
        case .forgetSetAside: break
        }
    }
}

extension StoreChange {
    /// The paths that the change contains.
    var paths: [String] {
        switch self {
        case .put(let record): record.transfers.map(\.source)
        case .putEntry(let record):
            record.isDownload ? [record.path, record.transfer.destination] : [record.path]
        case .remove, .removeEntry, .putAccount, .removeAccount, .forgetSetAside: []
        }
    }
}
