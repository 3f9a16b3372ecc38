package import TransferEngine

/// The engine's records in an SQLite database, on a medium or in a directory of this machine.
///
/// A change that `apply` has taken survives the end of the process and a loss of power; one that
/// was cut off is there whole or not at all (S7).
package struct QueueStore: ~Copyable {
    /// Of all that the store holds: of the rows when it was opened, then of each change that was
    /// taken.
    package private(set) var content: StoreContentDigest
    private let connection: SQLiteConnection
    private let rows: QueueRows

    package enum Place {
        case medium(any StorageMedium)
        /// A directory of this machine; it must exist.
        case directory(String)
    }

    /// Opens the store, or makes an empty one, and gives the sessions it holds in the order of
    /// their numbers.
    ///
    /// What is newer, damaged or not a store at all is refused and left as it is.
    package init(
        at name: String, on place: Place, sessions: inout [SessionRecord]
    ) throws(StoreError) {
        let path: String
        let medium: (any StorageMedium)?
        switch place {
        case .medium(let given): (path, medium) = (name, given)
        case .directory(let directory): (path, medium) = (directory + "/" + name, nil)
        }
        let connection = try SQLiteConnection(path: path, on: medium)
        try connection.run(QueueSchema.settings)
        let version = try Self.version(of: connection, path: path)
        try connection.run(QueueSchema.journal)

        // Takes the lock, which this connection then keeps until it is closed.
        try connection.run("BEGIN EXCLUSIVE")
        try QueueSchema.migrate(connection, from: version)
        let rows = try QueueRows(connection)
        let reader = try QueueReader(connection, path: path)
        let found = try reader.records()
        let content = StoreContentDigest(of: found)
        guard content == (try rows.content()) else {
            throw reader.damaged("some of its sessions are missing")
        }
        try rows.commit.run()

        self.connection = connection
        self.rows = rows
        self.content = content
        sessions = found
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
                }
            }
            try rows.put(after)
            try rows.commit.run()
            content = after
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// All that was promised is on the disk already: nothing can go wrong any more.
    package consuming func close() {}

    /// Of the tables; 0 if there is nothing there yet. Another's file, or one of a newer version,
    /// is refused.
    private static func version(
        of connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) -> Int {
        let application = try connection.number("PRAGMA application_id")
        let version = Int(try connection.number("PRAGMA user_version"))
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        if application == 0, version == 0, tables == 0 { return 0 }
        guard application == QueueSchema.application else { throw .notAStore(path: path) }
        guard version <= QueueSchema.version else {
            throw .tooNew(path: path, version: version, known: QueueSchema.version)
        }
        guard version > 0 else {
            throw .damaged(path: path, reason: "there has never been a version \(version)")
        }
        return version
    }
}
