import TransferEngine

/// The tables of a store, and how a store is told from other files.
struct StoreSchema: Sendable {
    /// The file's `application_id`.
    let application: Int64
    /// The number that stores of the first version have; a daemon's have none.
    let first: Int
    /// The statements that turn a store of each version into one of the next, and an empty file
    /// into a store of version 1. A step that does not fit the tables it finds is damage, as only a
    /// store's own version could have made them.
    let steps: [String]
    /// The statements that turn an empty file into a store of today.
    let whole: Result<String, StoreError>

    /// The version of the tables, counted from 1; 0 is an empty file.
    var version: Int { steps.count }

    /// One process has the store; the promise of a commit holds through a loss of power.
    private static let settings = """
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA temp_store = MEMORY;
        """

    /// Set only for a file that is known to be a store: in another file it might be a change.
    ///
    /// In a journal that stays in place a commit is a write of its own, and FULL syncs it. Deleting
    /// the journal would not do: if power takes the deletion back, it takes the commit with it. A
    /// write-ahead log would not do either: a bit that flips in it ends the log there, and later
    /// commits vanish without a trace.
    private static let journal = "PRAGMA journal_mode = PERSIST"

    /// A store's file, locked until its connection is closed, in a transaction that is still open.
    struct OpenedFile: ~Copyable {
        let connection: SQLiteConnection
        /// The version that was found; the tables are those of today.
        let version: Int
    }

    /// Opens a store or makes an empty one. A damaged store from which records are salvaged is not
    /// checked.
    func open(_ files: StoreFiles, isSalvaged: Bool = false) throws(StoreError) -> OpenedFile {
        let path = files.path(of: .store)
        let connection = try SQLiteConnection(path: path, on: files.medium)
        try connection.run(Self.settings)
        let version = try version(of: connection, path: path)
        if !isSalvaged { try connection.run(Self.journal) }
        try connection.run("BEGIN EXCLUSIVE")
        if !isSalvaged { try connection.requireSound() }
        try migrate(connection, from: version)
        return OpenedFile(connection: connection, version: version)
    }

    /// An empty store in memory.
    func example() throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection.inMemory()
        try migrate(connection, from: 0)
        return connection
    }

    /// The tables of an old version are brought to today's within the open transaction: the disk
    /// has all of the steps, or none.
    private func migrate(
        _ connection: borrowing SQLiteConnection, from version: Int
    ) throws(StoreError) {
        guard version < steps.count else { return }
        if version == 0 {
            try connection.run(try whole.get())
        } else {
            for step in steps[version...] { try connection.run(step) }
        }
        try connection.run("PRAGMA user_version = \(steps.count)")
    }

    /// Returns the version of a file's tables; 0 for an empty file. The file of another program or
    /// of a newer version is refused.
    private func version(
        of connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) -> Int {
        let application = try connection.number("PRAGMA application_id")
        let version = Int(try connection.number("PRAGMA user_version"))
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        if application == 0, version == 0, tables == 0 { return 0 }
        let isOurs = application == self.application
        guard isOurs, version <= self.version else {
            if try hasOurTables(connection) {
                throw .damaged(
                    path: path,
                    reason: "it says that it is \(isOurs ? "newer" : "another program's"), "
                        + "and has the tables of version \(self.version)")
            }
            guard isOurs else { throw .notAStore(path: path) }
            throw .tooNew(path: path, version: version, known: self.version)
        }
        guard version >= first else {
            throw .damaged(path: path, reason: "there has never been a version \(version)")
        }
        return max(version, 1)
    }

    /// A newer version has more columns, and another program has others. Where most columns are
    /// ours, and there are no more than ours, the number that says something else is damaged.
    private func hasOurTables(
        _ connection: borrowing SQLiteConnection
    ) throws(StoreError) -> Bool {
        let ours = try Self.columns(of: example())
        let found = try Self.columns(of: connection)
        return found.count <= ours.count && ours.count { found.contains($0) } * 2 > ours.count
    }

    /// The columns of all tables, each with its place and its type: no two versions have the same.
    static func columns(
        of connection: borrowing SQLiteConnection
    ) throws(StoreError) -> [String] {
        let rows = try connection.prepare(
            """
            SELECT tables.name, columns.cid, columns.name, columns.type, columns."notnull",
                columns.pk
            FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
            ORDER BY 1, 2
            """)
        defer { rows.reset() }
        var columns: [String] = []
        while try rows.step() {
            columns.append((0..<6).map { rows.text($0) }.joined(separator: " "))
        }
        return columns
    }

    /// The statements that make the tables, in their order.
    static func tables(of connection: borrowing SQLiteConnection) throws(StoreError) -> [String] {
        let rows = try connection.prepare(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
        defer { rows.reset() }
        var tables: [String] = []
        while try rows.step() { tables.append(rows.text(0)) }
        return tables
    }
}
