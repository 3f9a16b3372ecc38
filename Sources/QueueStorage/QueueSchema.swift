/// The tables of a store, and how their rows are told apart from those of something else.
///
///     session   one row for each session, with the mark of the whole record
///     transfer  its files, in their order
///     content   one row: the sum of the marks, so that a missing row shows
enum QueueSchema {
    /// To be raised with every change of the tables, or of what a mark is made from.
    static let version = 2
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

    static let tables = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL
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
        INSERT INTO content VALUES (0);
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        """
}
