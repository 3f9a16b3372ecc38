import TransferEngine

/// By what a file says that it is a store, and of which version.
struct StoreMark {
    /// The file's `application_id`.
    let application: Int64
    /// Of the tables of today.
    let known: Int
    /// What stores of the first version say: those of daemons say nothing.
    let first: Int
    /// An empty store of today, in memory.
    let example: @Sendable () throws(StoreError) -> SQLiteConnection

    /// Of the tables; 0 if there is nothing there yet. Another's file, or one of a newer version,
    /// is refused.
    func version(
        of connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) -> Int {
        let application = try connection.number("PRAGMA application_id")
        let version = Int(try connection.number("PRAGMA user_version"))
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        if application == 0, version == 0, tables == 0 { return 0 }
        let isOurs = application == self.application
        guard isOurs, version <= known else {
            if try hasOurTables(connection) {
                throw .damaged(
                    path: path,
                    reason: "it says that it is \(isOurs ? "newer" : "another program's"), "
                        + "and has the tables of version \(known)")
            }
            guard isOurs else { throw .notAStore(path: path) }
            throw .tooNew(path: path, version: version, known: known)
        }
        guard version >= first else {
            throw .damaged(path: path, reason: "there has never been a version \(version)")
        }
        return max(version, 1)
    }

    /// A newer version has more in them, and another program has others. Where most of it is ours,
    /// and no more, the number that says something else is damaged, and a name or two with it.
    private func hasOurTables(
        _ connection: borrowing SQLiteConnection
    ) throws(StoreError) -> Bool {
        let ours = try QueueSchema.columns(of: example())
        let found = try QueueSchema.columns(of: connection)
        return found.count <= ours.count && ours.count { found.contains($0) } * 2 > ours.count
    }
}
