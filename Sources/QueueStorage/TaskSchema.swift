import TransferEngine

extension StoreSchema {
    /// A daemon's store.
    ///
    ///     task      one row for each task, with the mark of the whole record
    ///     content   one row: the sum of the marks, so that a missing row shows
    ///     set_aside no row, or one of a damaged store before this one
    ///     told      the apps that have heard of that damage
    ///     delay     how long tasks wait that an app makes in the background, if that is not the
    ///               first delay
    ///
    /// Stores of the first version have no version number and no marks; the marks are made when
    /// such a store is opened.
    static let tasks = StoreSchema(
        application: taskApplication, first: 0, steps: taskSteps,
        whole: .success(taskSteps.joined()))

    /// "TLbt"
    private static let taskApplication: Int64 = 0x544c_6274

    private static let taskSteps = (1...7).map { version in
        let others =
            switch version {
            case 1: "PRAGMA application_id = \(taskApplication);\n"
            case 2:
                """
                CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
                INSERT INTO content VALUES (0);
                CREATE TABLE set_aside (
                    name TEXT NOT NULL,
                    reason TEXT NOT NULL,
                    lost TEXT NOT NULL
                ) STRICT;
                CREATE TABLE told (app INTEGER PRIMARY KEY) STRICT;

                """
            case 3:
                "CREATE TABLE delay (app INTEGER PRIMARY KEY, nanoseconds INTEGER NOT NULL) "
                    + "STRICT;\n"
            default: ""
            }
        return TaskRecord.table.step(to: version) + others
    }
}
