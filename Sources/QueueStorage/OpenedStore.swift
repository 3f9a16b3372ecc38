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
        let version = try QueueSchema.mark.version(of: connection, path: path)
        try connection.run(QueueSchema.journal)

        // Takes the lock, which this connection then keeps until it is closed.
        try connection.run("BEGIN EXCLUSIVE")
        try connection.requireSound()
        try QueueSchema.migrate(connection, from: version)
        let rows = try QueueRows(connection)
        let reader = try QueueReader(connection, path: path)
        let found = try reader.records()
        let foundEntries = try EntryRows.reader(connection, path: path).records()
        let foundAccounts = try AccountRows.reader(connection, path: path).records()
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
}
