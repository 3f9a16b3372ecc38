/// The tables of a store, and how their rows are told apart from those of something else.
///
///     session   one row for each session, with the mark of the whole record
///     transfer  its files, in their order
///     entry     one row for each resumable transfer, with the mark of the whole record
///     account   one row for each account, with the mark of the whole record
///     content   one row: the sum of the marks, so that a missing row shows
///     set_aside no row, or one of a damaged store before this one, until the app has heard of it
enum QueueSchema {
    /// "TLqs" as the file's `application_id`.
    static let application: Int64 = 0x544c_7173

    /// One process has the store; the promise of a commit holds through a loss of power.
    static let settings = """
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA temp_store = MEMORY;
        """

    /// Only for a file that is known to be a store: for another it might be a change.
    ///
    /// In a journal that stays in place a commit is a write of its own, and FULL syncs it. Deleting
    /// the journal would not do: a deletion that power takes back takes the commit with it. Nor
    /// would a write-ahead log: a bit that flips in it ends the log there, and later commits are
    /// gone without a trace.
    static let journal = "PRAGMA journal_mode = PERSIST"

    /// What makes of a store of each version one of the next, and of nothing one of version 1.
    ///
    /// A new store has the tables to which they lead (`whole`), so that it and an old one have the
    /// same. To change them is to add one line at the end; those before it stay as they are, for
    /// the stores that were written by them. The marks in an old store have to stay right:
    /// `StoreContentDigest` adds a new field to a mark only where it is other than what the step
    /// gives to old rows, and `QueueRows` reads and writes the new column behind the others. A step
    /// that does not fit the tables it finds is damage, as nobody but a store's own version could
    /// have made them.
    static let steps = [
        firstTables,
        "ALTER TABLE session ADD COLUMN network_limits INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT
        """,
        """
        ALTER TABLE session ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN precedence INTEGER NOT NULL DEFAULT 0;
        """,
        "ALTER TABLE session ADD COLUMN is_persistent INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE entry (
            number INTEGER PRIMARY KEY,
            bucket TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            is_download INTEGER NOT NULL,
            path TEXT NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            digest INTEGER,
            done INTEGER NOT NULL,
            state TEXT NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT
        """,
        "ALTER TABLE session ADD COLUMN is_download INTEGER NOT NULL DEFAULT 0",
        """
        ALTER TABLE session ADD COLUMN overwrite TEXT NOT NULL DEFAULT 'always';
        ALTER TABLE session ADD COLUMN resume TEXT NOT NULL DEFAULT 'attributes';
        ALTER TABLE session ADD COLUMN rate_policy TEXT NOT NULL DEFAULT 'fair';
        ALTER TABLE session ADD COLUMN rate_target INTEGER NOT NULL DEFAULT 10000000;
        ALTER TABLE session ADD COLUMN rate_minimum INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transfer ADD COLUMN digest_coverage TEXT;
        ALTER TABLE transfer ADD COLUMN digest INTEGER;
        """,
        // Sessions without an account get one as they are restored.
        """
        ALTER TABLE session ADD COLUMN account INTEGER;
        ALTER TABLE session ADD COLUMN is_enqueued INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            folder TEXT NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        """,
    ]

    /// Of the tables, counted from 1; 0 is a file in which there is nothing yet.
    static var version: Int { steps.count }

    static let mark = StoreMark(
        application: application, known: steps.count, first: 1, example: example)

    private static let firstTables = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        \(firstRows)
        """

    private static let firstRows = """
        INSERT INTO content VALUES (0);
        PRAGMA application_id = \(application);
        """

    /// What the steps come to, in SQLite's own words for the tables that they leave: to go all the
    /// way would be a good part of what a short run costs.
    private static let whole = Result { () throws(StoreError) -> String in
        let connection = try SQLiteConnection.inMemory()
        for step in steps { try connection.run(step) }
        return try tables(of: connection).map { $0 + ";\n" }.joined() + firstRows
    }

    /// The words by which each is made, in their order.
    static func tables(of connection: borrowing SQLiteConnection) throws(StoreError) -> [String] {
        let rows = try connection.prepare(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
        defer { rows.reset() }
        var tables: [String] = []
        while try rows.step() { tables.append(rows.text(0)) }
        return tables
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

    /// An empty store in memory.
    static func example() throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection.inMemory()
        try migrate(connection, from: 0)
        return connection
    }

    /// The steps from there to today, within a transaction: with the number of the version they
    /// are on the disk all together, or none of them.
    static func migrate(
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
}
