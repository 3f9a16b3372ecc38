import TransferEngine

/// The tables of a daemon's store.
///
///     task      one row for each task, with the mark of the whole record
///     content   one row: the sum of the marks, so that a missing row shows
///     set_aside no row, or one of a damaged store before this one
///     told      the apps that have heard of that
///     delay     how long tasks of an app wait that are made in the background, where that is not
///               as on the first day
enum TaskSchema {
    /// "TLbt" as the file's `application_id`.
    static let application: Int64 = 0x544c_6274

    /// As `QueueSchema.steps`. Stores of the first version do not say that they have one, and know
    /// no marks: whoever opens one makes them.
    static let steps = [
        firstTables,
        """
        ALTER TABLE task ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        INSERT INTO content VALUES (0);
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL
        ) STRICT;
        CREATE TABLE told (app INTEGER PRIMARY KEY) STRICT;
        """,
        "CREATE TABLE delay (app INTEGER PRIMARY KEY, nanoseconds INTEGER NOT NULL) STRICT;",
        "ALTER TABLE task ADD COLUMN is_resumable INTEGER NOT NULL DEFAULT 0;",
        "ALTER TABLE task ADD COLUMN installation INTEGER NOT NULL DEFAULT 0;",
    ]

    static let mark = StoreMark(
        application: application, known: steps.count, first: 0, example: example)

    private static let firstTables = """
        CREATE TABLE task (
            app INTEGER NOT NULL,
            number INTEGER NOT NULL,
            session TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            key TEXT,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            network_limits INTEGER NOT NULL,
            is_discretionary INTEGER NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            not_before INTEGER,
            deadline INTEGER,
            outcome INTEGER,
            is_download INTEGER NOT NULL,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (app, number)
        ) STRICT, WITHOUT ROWID;
        PRAGMA application_id = \(application);
        """

    /// The steps from there to today, within a transaction.
    static func migrate(
        _ connection: borrowing SQLiteConnection, from version: Int
    ) throws(StoreError) {
        guard version < steps.count else { return }
        for step in steps[version...] { try connection.run(step) }
        try connection.run("PRAGMA user_version = \(steps.count)")
    }

    /// An empty store in memory.
    static func example() throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection.inMemory()
        try migrate(connection, from: 0)
        return connection
    }
}
