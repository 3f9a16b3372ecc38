import TransferEngine

extension StoreSchema {
    /// An app's store.
    ///
    ///     session   one row for each session, with the mark of the whole record
    ///     transfer  its files, in their order
    ///     entry     one row for each resumable transfer, with the mark of the whole record
    ///     account   one row for each account, with the mark of the whole record
    ///     content   one row: the sum of the marks, so that a missing row shows
    ///     set_aside no row, or one of a damaged store before this one, until the app has heard of
    ///               it
    ///
    /// To add a column is to add it to the record's table with the next version, and to count that
    /// version here. Steps stay as they are for the stores that older versions have written.
    static let queue = StoreSchema(
        application: queueApplication, first: 1, steps: queueSteps, whole: wholeQueue)

    /// "TLqs"
    private static let queueApplication: Int64 = 0x544c_7173

    private static let queueSteps = (1...13).map { version in
        let tables = [
            SessionRecord.table.step(to: version), SessionFile.table.step(to: version),
            EntryRecord.table.step(to: version), AccountRecord.table.step(to: version),
        ]
        let others =
            switch version {
            case 1: "CREATE TABLE content (marks INTEGER NOT NULL) STRICT;\n" + firstRows
            case 3:
                """
                CREATE TABLE set_aside (
                    name TEXT NOT NULL,
                    reason TEXT NOT NULL,
                    lost TEXT NOT NULL,
                    last_transfer INTEGER NOT NULL
                ) STRICT
                """
            default: ""
            }
        return tables.joined() + others
    }

    private static let firstRows = """
        INSERT INTO content VALUES (0);
        PRAGMA application_id = \(queueApplication);
        """

    /// SQLite's own words for the tables to which the steps lead: taking all steps would be a good
    /// part of what a short run costs.
    private static let wholeQueue = Result { () throws(StoreError) -> String in
        let connection = try SQLiteConnection.inMemory()
        for step in queueSteps { try connection.run(step) }
        return try tables(of: connection).map { $0 + ";\n" }.joined() + firstRows
    }
}
