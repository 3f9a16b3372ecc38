package import TransferEngine

/// The engine's records in an SQLite database, on a medium or in a directory of this machine.
///
/// A change that `apply` has taken survives the end of the process and a loss of power; one that
/// was cut off is there whole or not at all (S7).
package struct QueueStore: ~Copyable {
    /// Of all that the store holds: of the rows when it was opened, then of each change that was
    /// taken.
    package private(set) var content: StoreContentDigest
    /// A damaged store in whose place this one is, until the app has heard of it.
    package private(set) var setAside: StoreSetAside?
    /// The resumable transfers that it held when it was opened, in the order of their numbers.
    package let entries: [EntryRecord]
    /// The same of the accounts.
    package let accounts: [AccountRecord]
    private let connection: SQLiteConnection
    private let rows: QueueRows
    private let entryRows: EntryRows
    private let accountRows: AccountRows

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
        let opened = try OpenedStore.whole(StoreFiles(name, on: place))
        content = opened.content
        setAside = opened.setAside
        sessions = opened.sessions
        entries = opened.entries
        accounts = opened.accounts
        rows = opened.rows
        entryRows = opened.entryRows
        accountRows = opened.accountRows
        connection = opened.connection
    }

    /// Returns when the change will survive.
    package mutating func apply(_ change: StoreChange) throws(StoreError) {
        try apply(all: CollectionOfOne(change))
    }

    /// All of them or, if it throws, none.
    package mutating func apply(all changes: some Sequence<StoreChange>) throws(StoreError) {
        do throws(StoreError) {
            try rows.begin.run()
            // Read again each time: after a commit that failed only the rows know which side it
            // fell on.
            var after = try rows.content()
            for change in changes {
                switch change {
                case .put(let record): try rows.put(record, into: &after)
                case .putAccount(let record): try accountRows.put(record, into: &after)
                case .removeAccount(let account):
                    try accountRows.remove(account, from: &after)
                case .putEntry(let record): try entryRows.put(record, into: &after)
                case .removeEntry(let entry): try entryRows.remove(entry, from: &after)
                case .forgetSetAside: try connection.run("DELETE FROM set_aside")
                case .remove(let session): try rows.remove(session, from: &after)
                }
            }
            try rows.put(after)
            try rows.commit.run()
            content = after
            if setAside != nil { setAside = try StoreSetAside(in: connection) }
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Tells at every opening from now on what became of the store before this one.
    mutating func report(_ report: StoreSetAside) throws(StoreError) {
        try report.write(to: connection)
    }

    /// All that was promised is on the disk already: nothing can go wrong any more.
    package consuming func close() {}
}
