/// A damaged store that was renamed. Every intact session, resumable transfer and account went into
/// the new store.
public struct StoreSetAside: Hashable, Sendable, Codable {
    /// The name of the damaged file, without the directory, which may move.
    public var name: String
    public var reason: String
    /// The lost sessions that the damaged store still named. Unreadable ones are missing.
    public var lost: [SessionID]
    /// The lost resumable transfers that the damaged store still named.
    public var lostEntries: [EntryID]
    /// The lost accounts that the damaged store still named. An account to which a session refers
    /// is never lost, as the session remembers what is needed.
    public var lostAccounts: [AccountID]
    /// The highest transfer number that could still be read.
    public var lastTransfer: TransferID

    public init(
        name: String, reason: String, lost: [SessionID], entries: [EntryID] = [],
        accounts: [AccountID] = [], lastTransfer: TransferID
    ) {
        self.name = name
        self.reason = reason
        self.lost = lost
        lostEntries = entries
        lostAccounts = accounts
        self.lastTransfer = lastTransfer
    }
}
