import TransferEngine

/// What is found as a store is opened: all of its rows, each held against its mark, and the
/// connection that has them locked.
struct OpenedStore: ~Copyable {
    let connection: SQLiteConnection
    let rows: QueueRows
    let entryRows: EntryRows
    let accountRows: AccountRows
    let content: StoreContentDigest
    let setAside: StoreSetAside?
    let sessions: [SessionRecord]
    let entries: [EntryRecord]
    let accounts: [AccountRecord]

    /// Where the store is damaged, what is whole of it, in a new one.
    static func whole(_ files: StoreFiles) throws(StoreError) -> OpenedStore {
        try SettingAside.finish(files)
        do throws(StoreError) {
            return try OpenedStore(asItIs: files)
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            try QueueStore.setAside(files, because: reason)
            return try OpenedStore(asItIs: files)
        }
    }

    private init(asItIs files: StoreFiles) throws(StoreError) {
        let path = files.path(of: .store)
        let connection = try SQLiteConnection(path: path, on: files.medium)
        try connection.run(QueueSchema.settings)
        let version = try Self.version(of: connection, path: path)
        try connection.run(QueueSchema.journal)

        // Takes the lock, which this connection then keeps until it is closed.
        try connection.run("BEGIN EXCLUSIVE")
        try QueueSchema.migrate(connection, from: version)
        let rows = try QueueRows(connection)
        let reader = try QueueReader(connection, path: path)
        let found = try reader.records()
        let foundEntries = try EntryReader(connection, path: path).records()
        let foundAccounts = try AccountReader(connection, path: path).records()
        var content = StoreContentDigest(of: found)
        for entry in foundEntries {
            content.replace(mark: nil, with: StoreContentDigest.mark(of: entry))
        }
        for account in foundAccounts {
            content.replace(mark: nil, with: StoreContentDigest.mark(of: account))
        }
        guard content == (try rows.content()) else {
            throw reader.damaged("some of its sessions, transfers or accounts are missing")
        }
        let setAside = try StoreSetAside(in: connection)
        let entryRows = try EntryRows(connection)
        let accountRows = try AccountRows(connection)
        try rows.commit.run()

        self.connection = connection
        self.rows = rows
        self.entryRows = entryRows
        self.accountRows = accountRows
        entries = foundEntries
        accounts = foundAccounts
        self.content = content
        self.setAside = setAside
        sessions = found
    }

    /// Of the tables; 0 if there is nothing there yet. Another's file, or one of a newer version,
    /// is refused.
    static func version(
        of connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) -> Int {
        let application = try connection.number("PRAGMA application_id")
        let version = Int(try connection.number("PRAGMA user_version"))
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        if application == 0, version == 0, tables == 0 { return 0 }
        let isOurs = application == QueueSchema.application
        guard isOurs, version <= QueueSchema.version else {
            if try hasOurTables(connection) {
                throw .damaged(
                    path: path,
                    reason: "it says that it is \(isOurs ? "newer" : "another program's"), "
                        + "and has the tables of version \(QueueSchema.version)")
            }
            guard isOurs else { throw .notAStore(path: path) }
            throw .tooNew(path: path, version: version, known: QueueSchema.version)
        }
        guard version > 0 else {
            throw .damaged(path: path, reason: "there has never been a version \(version)")
        }
        return version
    }

    /// A newer version has more in them, and another program has others. Where most of it is ours,
    /// and no more, the number that says something else is damaged, and a name or two with it.
    private static func hasOurTables(
        _ connection: borrowing SQLiteConnection
    ) throws(StoreError) -> Bool {
        let ours = try QueueSchema.columns(of: QueueSchema.example())
        let found = try QueueSchema.columns(of: connection)
        return found.count <= ours.count && ours.count { found.contains($0) } * 2 > ours.count
    }
}
