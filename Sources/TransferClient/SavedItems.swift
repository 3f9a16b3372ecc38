import TransferEngine

/// Saved accounts and sessions, as far as the app has been told of them.
struct SavedItems {
    private(set) var accounts: [AccountRecord] = []
    private(set) var sessions: [SessionRecord] = []
    /// The saved or enqueued sessions behind the drafts of this process.
    private(set) var names: [DraftID: SessionID] = [:]
    private var lastDraft = DraftID(0)

    mutating func nextDraft() -> DraftID {
        lastDraft.number += 1
        return lastDraft
    }

    mutating func follow(_ news: SavedNews) {
        switch news {
        case .holds(let accounts, let sessions):
            self.accounts = accounts
            self.sessions = sessions
        case .account(let record):
            accounts.removeAll { $0.id == record.id }
            accounts.insert(
                record, at: accounts.firstIndex { record.id < $0.id } ?? accounts.endIndex)
        case .accountDeleted(let id): accounts.removeAll { $0.id == id }
        case .session(let record, let draft):
            sessions.removeAll { $0.id == record.id }
            sessions.insert(
                record, at: sessions.firstIndex { record.id < $0.id } ?? sessions.endIndex)
            if let draft { names[draft] = record.id }
        case .sessionDeleted(let id): sessions.removeAll { $0.id == id }
        case .enqueued(let id, let draft):
            sessions.removeAll { $0.id == id }
            if let draft { names[draft] = id }
        }
    }
}
