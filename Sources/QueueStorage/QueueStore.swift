package import TransferEngine

/// The engine's records in an SQLite database, on a medium or in a directory of this machine.
///
/// A change that `apply` has taken survives the end of the process and a loss of power; one that
/// was cut off is there whole or not at all (S7).
package struct QueueStore: ~Copyable, RenewableStore {
    /// Of all that the store holds: of the rows when it was opened, then of each change that was
    /// taken.
    package private(set) var content: StoreContentDigest
    /// A damaged store in whose place this one is, until the app has heard of it.
    // Spelt out: the short form begins as nil, and `self` could not be assigned whole.
    package private(set) var setAside: Optional<StoreSetAside>
    /// The resumable transfers that it held when it was opened, in the order of their numbers.
    package let entries: [EntryRecord]
    /// The same of the accounts.
    package let accounts: [AccountRecord]
    let connection: SQLiteConnection
    private let commits: Commits
    private let sessionRows: SessionRows
    private let entryRows: Rows<EntryRecord>
    private let accountRows: Rows<AccountRecord>

    package enum Place {
        case medium(any StorageMedium)
        /// A directory of this machine; it must exist.
        case directory(String)
    }

    /// Of an app's store, in the directory that is its own.
    package static let name = "queue.sqlite"

    /// Opens the store, or makes an empty one, and gives the sessions it holds in the order of
    /// their numbers.
    ///
    /// What is newer or another program's is refused and left as it is. What is damaged is set
    /// aside, and its sessions that are whole go into a new store.
    package init(
        at name: String, on place: Place, sessions: inout [SessionRecord]
    ) throws(StoreError) {
        self = try Self.whole(StoreFiles(name, on: place), &sessions)
    }

    init(
        asItIs files: StoreFiles, _ sessions: inout [SessionRecord]
    ) throws(StoreError) {
        let path = files.path(of: .store)
        let file = try StoreSchema.queue.open(files)
        let commits = try Commits(file.connection)
        let sessionRows = try SessionRows(file.connection)
        let found = try SessionRows.records(file.connection, path: path)
        let entries: [EntryRecord] = try NumberedReader(file.connection, path: path)
            .records(called: "transfer")
        let accounts: [AccountRecord] = try NumberedReader(file.connection, path: path)
            .records(called: "account")
        var content = StoreContentDigest(of: found)
        content.add(entries)
        content.add(accounts)
        guard content == (try commits.content()) else {
            throw .damaged(
                path: path, reason: "some of its sessions, transfers or accounts are missing")
        }
        let setAside = try StoreSetAside(in: file.connection)
        let entryRows = try Rows<EntryRecord>(file.connection)
        let accountRows = try Rows<AccountRecord>(file.connection)
        try commits.commit()

        self.content = content
        self.setAside = setAside
        self.entries = entries
        self.accounts = accounts
        self.commits = commits
        self.sessionRows = sessionRows
        self.entryRows = entryRows
        self.accountRows = accountRows
        connection = file.connection
        sessions = found
    }

    /// Returns when the change will survive.
    package mutating func apply(_ change: StoreChange) throws(StoreError) {
        try apply(all: CollectionOfOne(change))
    }

    /// All of them or, if it throws, none.
    package mutating func apply(all changes: some Sequence<StoreChange>) throws(StoreError) {
        content = try commits.carryOut(on: connection) { content throws(StoreError) in
            for change in changes { try apply(change, to: &content) }
        }
        if setAside != nil { setAside = try StoreSetAside(in: connection) }
    }

    private func apply(
        _ change: StoreChange, to content: inout StoreContentDigest
    ) throws(StoreError) {
        switch change {
        case .put(let record): try sessionRows.put(record, into: &content)
        case .remove(let session): try sessionRows.remove(session.number.key, from: &content)
        case .putEntry(let record): try entryRows.put(record, into: &content)
        case .removeEntry(let entry): try entryRows.remove([entry.number.key], from: &content)
        case .putAccount(let record): try accountRows.put(record, into: &content)
        case .removeAccount(let account):
            try accountRows.remove([account.number.key], from: &content)
        case .forgetSetAside: try connection.run("DELETE FROM set_aside")
        }
    }

    /// All that was promised is on the disk already: nothing can go wrong any more.
    package consuming func close() {}
}
