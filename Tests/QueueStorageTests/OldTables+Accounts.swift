/// Since there are accounts.
extension OldStore {
    static let tablesOfVersion9 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            precedence INTEGER NOT NULL,
            is_persistent INTEGER NOT NULL,
            is_download INTEGER NOT NULL,
            overwrite TEXT NOT NULL,
            resume TEXT NOT NULL,
            rate_policy TEXT NOT NULL,
            rate_target INTEGER NOT NULL,
            rate_minimum INTEGER NOT NULL,
            account INTEGER,
            is_enqueued INTEGER NOT NULL
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
            digest_coverage TEXT,
            digest INTEGER,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT;
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
        ) STRICT;
        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            folder TEXT NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 9;
        """

    /// Since a file can fail alone.
    static let tablesOfVersion10 =
        tablesOfVersion9
        .replacing(
            "digest INTEGER,\n    PRIMARY KEY",
            with: "digest INTEGER,\n    failure INTEGER,\n    PRIMARY KEY"
        )
        .replacing("user_version = 9", with: "user_version = 10")

    /// Since a session keeps its error.
    static let tablesOfVersion11 =
        tablesOfVersion10
        .replacing(
            "is_enqueued INTEGER NOT NULL\n",
            with: "is_enqueued INTEGER NOT NULL,\n    error INTEGER\n"
        )
        .replacing("user_version = 10", with: "user_version = 11")

    /// Since an account can ask for TLS: sessions, resumable transfers and accounts say so.
    static let tablesOfVersion12 =
        tablesOfVersion11
        .replacing(
            "    error INTEGER\n", with: "    error INTEGER,\n    uses_tls INTEGER NOT NULL\n"
        )
        .replacing(
            "    mark INTEGER NOT NULL\n",
            with: "    mark INTEGER NOT NULL,\n    uses_tls INTEGER NOT NULL\n"
        )
        .replacing("user_version = 11", with: "user_version = 12")
}
