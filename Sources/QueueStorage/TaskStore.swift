import Quantities
package import TransferEngine

/// The tasks of a phone's transfer daemon in an SQLite database of its own, outside of every app's
/// container.
///
/// What `apply` has taken survives a restart and a loss of power (B5, S7).
package struct TaskStore: ~Copyable {
    private let connection: SQLiteConnection
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let putTask: SQLiteStatement
    private let removeTask: SQLiteStatement

    /// Of a phone's daemon, in the directory that is its own.
    package static let name = "tasks.sqlite"

    /// Opens the store, or makes an empty one, and gives the tasks it holds in their order.
    package init(
        at name: String, on place: QueueStore.Place, tasks: inout [TaskRecord]
    ) throws(StoreError) {
        let files = StoreFiles(name, on: place)
        let connection = try SQLiteConnection(path: files.path(of: .store), on: files.medium)
        try connection.run(QueueSchema.settings)
        let application = try connection.number("PRAGMA application_id")
        let isNew = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
        guard isNew || application == Self.application else { throw .notAStore(path: name) }
        try connection.run(QueueSchema.journal)
        try connection.run("BEGIN EXCLUSIVE")
        if isNew { try connection.run(Self.tables) }
        let begin = try connection.prepare("BEGIN IMMEDIATE")
        let commit = try connection.prepare("COMMIT")
        let putTask = try connection.prepare(
            """
            INSERT OR REPLACE INTO task VALUES
                (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                ?19, ?20)
            """)
        let removeTask = try connection.prepare(
            "DELETE FROM task WHERE app = ?1 AND number = ?2")
        let found = try Self.read(from: connection, path: name)
        try commit.run()

        self.connection = connection
        self.begin = begin
        self.commit = commit
        self.putTask = putTask
        self.removeTask = removeTask
        tasks = found
    }

    package mutating func apply(_ change: TaskChange) throws(StoreError) {
        do throws(StoreError) {
            try begin.run()
            switch change {
            case .put(let record): try put(record)
            case .remove(let id):
                try removeTask.bind(Int64(id.app), to: 1)
                try removeTask.bind(Int64(bitPattern: id.number), to: 2)
                try removeTask.run()
            }
            try commit.run()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    // MARK: Rows

    /// "TLbt" as the file's `application_id`.
    private static let application: Int64 = 0x544c_6274

    private static let tables = """
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

    private func put(_ record: TaskRecord) throws(StoreError) {
        let transfer = record.transfer
        try putTask.bind(Int64(record.id.app), to: 1)
        try putTask.bind(Int64(bitPattern: record.id.number), to: 2)
        try putTask.bind(record.session, to: 3)
        try putTask.bind(record.account.host, to: 4)
        try putTask.bind(Int64(record.account.port), to: 5)
        try putTask.bind(record.account.credentials.name, to: 6)
        try putTask.bind(transfer.source, to: 7)
        try putTask.bind(transfer.destination, to: 8)
        try putTask.bind(transfer.resource, to: 9)
        try putTask.bind(
            transfer.fingerprint.map { Int64(bitPattern: $0.size.bytes) }, to: 10)
        try putTask.bind(transfer.fingerprint.map { Int64(bitPattern: $0.modified) }, to: 11)
        try putTask.bind(Int64(record.limits.rawValue), to: 12)
        try putTask.bind(record.isDiscretionary ? 1 : 0, to: 13)
        try putTask.bind(record.state.rawValue, to: 14)
        try putTask.bind(Int64(record.failures), to: 15)
        try putTask.bind(record.notBefore.map { Int64(bitPattern: $0.nanoseconds) }, to: 16)
        try putTask.bind(record.deadline.map { Int64(bitPattern: $0.nanoseconds) }, to: 17)
        try putTask.bind(record.outcome.map(Self.number), to: 18)
        try putTask.bind(record.isDownload ? 1 : 0, to: 19)
        try putTask.bind(transfer.isComplete ? 1 : 0, to: 20)
        try putTask.run()
    }

    private static func read(
        from connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) -> [TaskRecord] {
        let rows = try connection.prepare("SELECT * FROM task ORDER BY app, number")
        defer { rows.reset() }
        var records: [TaskRecord] = []
        while try rows.step() {
            guard let record = record(rows) else {
                throw .damaged(path: path, reason: "task \(rows.number(1)) cannot be read")
            }
            records.append(record)
        }
        return records
    }

    /// `nil` if a column holds what cannot have been written there.
    private static func record(_ row: SQLiteStatement) -> TaskRecord? {
        guard let app = UInt16(exactly: row.number(0)), let port = UInt16(exactly: row.number(4)),
            let limits = UInt8(exactly: row.number(11)),
            let state = TaskState(rawValue: row.text(13))
        else { return nil }
        let outcome = row.optionalNumber(17).flatMap(outcome)
        guard (outcome != nil) == (state == .finished) else { return nil }
        let id = TaskID(app: app, number: UInt64(bitPattern: row.number(1)))
        var fingerprint: SourceFingerprint?
        if let size = row.optionalNumber(9), let modified = row.optionalNumber(10) {
            fingerprint = SourceFingerprint(
                size: ByteCount(UInt64(bitPattern: size)), modified: UInt64(bitPattern: modified))
        }
        return TaskRecord(
            id: id, session: row.text(2),
            account: Account(
                host: row.text(3), port: port, credentials: CredentialHandle(row.text(5))),
            transfer: TransferRecord(
                id: id.transfer, source: row.text(6), destination: row.text(7),
                fingerprint: fingerprint, resource: row.optionalText(8),
                isComplete: row.number(19) != 0),
            isDownload: row.number(18) != 0, limits: NetworkLimits(rawValue: limits),
            isDiscretionary: row.number(12) != 0,
            state: state, failures: Int(row.number(14)),
            notBefore: row.optionalNumber(15).map(moment),
            deadline: row.optionalNumber(16).map(moment),
            outcome: outcome)
    }

    private static func moment(_ nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: UInt64(bitPattern: nanoseconds))
    }

    /// Statuses are positive, and the errors of URLs negative.
    private static func number(_ outcome: TaskOutcome) -> Int64 {
        switch outcome {
        case .answered(let status): Int64(status)
        case .failed(let error): Int64(error.rawValue)
        }
    }

    private static func outcome(_ number: Int64) -> TaskOutcome? {
        guard number < 0 else { return .answered(status: Int(number)) }
        return TaskError(rawValue: Int(number)).map { .failed($0) }
    }
}
