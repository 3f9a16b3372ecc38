/// What became of a store that was damaged: it stands under another name beside the new one, into
/// which all of its sessions, resumable transfers and accounts went that were still as they had
/// been written.
public struct StoreSetAside: Hashable, Sendable, Codable {
    /// The name of the damaged file, without the directory, which may move.
    public var name: String
    public var reason: String
    /// Those that it still named and that are lost, by their numbers; what could not be read at
    /// all is not among them.
    public var lost: [SessionID]
    /// The same of resumable transfers.
    public var lostEntries: [EntryID]
    /// The same of accounts; one to which a session refers is never lost, as that remembers what is
    /// needed of it.
    public var lostAccounts: [AccountID]
    /// The highest number of a transfer that was still to be read.
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
