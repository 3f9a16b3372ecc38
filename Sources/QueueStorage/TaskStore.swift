package import TransferEngine

/// The tasks of a phone's transfer daemon in an SQLite database of its own, outside of every app's
/// container.
///
/// What `apply` has taken survives a restart and a loss of power (B5, S7).
package struct TaskStore: ~Copyable {
    /// Of all that the store holds.
    package private(set) var content: StoreContentDigest
    /// A damaged store in whose place this one is.
    package let setAside: TaskStoreSetAside?
    /// As they were when the store was opened.
    package let delays: [BackgroundDelay]
    private let connection: SQLiteConnection
    private let rows: TaskRows

    /// Of a phone's daemon, in the directory that is its own.
    package static let name = "tasks.sqlite"

    /// Opens the store, or makes an empty one, and gives the tasks it holds in their order.
    ///
    /// What is newer or another program's is refused and left as it is. What is damaged is set
    /// aside, and its tasks that are whole go into a new store.
    package init(
        at name: String, on place: QueueStore.Place, tasks: inout [TaskRecord]
    ) throws(StoreError) {
        let files = StoreFiles(name, on: place)
        try SettingAside.finish(files)
        do throws(StoreError) {
            self = try TaskStore(asItIs: files, tasks: &tasks)
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            try Self.setAside(files, because: reason)
            self = try TaskStore(asItIs: files, tasks: &tasks)
        }
    }

    private init(asItIs files: StoreFiles, tasks: inout [TaskRecord]) throws(StoreError) {
        let path = files.path(of: .store)
        let connection = try SQLiteConnection(path: path, on: files.medium)
        try connection.run(QueueSchema.settings)
        let version = try TaskSchema.mark.version(of: connection, path: path)
        try connection.run(QueueSchema.journal)
        try connection.run("BEGIN EXCLUSIVE")
        try connection.requireSound()
        try TaskSchema.migrate(connection, from: version)
        let rows = try TaskRows(connection)
        let isMarked = version == 0 || version > 1
        let found = try Self.read(from: connection, path: path, isMarked: isMarked)
        let delays = try rows.delays()
        let content = StoreContentDigest(of: found, delays: delays)
        if !isMarked { try Self.mark(found, in: rows) }
        guard content == (try rows.content()) else {
            throw .damaged(path: path, reason: "some of its rows are missing")
        }
        let setAside = try TaskStoreSetAside(in: connection)
        try rows.commit.run()

        self.connection = connection
        self.rows = rows
        self.content = content
        self.setAside = setAside
        self.delays = delays
        tasks = found
    }

    package mutating func apply(_ change: TaskChange) throws(StoreError) {
        try apply(all: CollectionOfOne(change))
    }

    /// All of them or, if it throws, none.
    mutating func apply(all changes: some Sequence<TaskChange>) throws(StoreError) {
        do throws(StoreError) {
            try rows.begin.run()
            // Read again each time: after a commit that failed only the rows know which side it
            // fell on.
            var after = try rows.content()
            for change in changes {
                switch change {
                case .put(let record): try rows.put(record, into: &after)
                case .remove(let id): try rows.remove(id, from: &after)
                case .delay(let delay): try rows.put(delay, into: &after)
                case .told(let app): try rows.putTold(app)
                }
            }
            try rows.put(after)
            try rows.commit.run()
            content = after
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private static func read(
        from connection: borrowing SQLiteConnection, path: String, isMarked: Bool
    ) throws(StoreError) -> [TaskRecord] {
        let rows = try connection.prepare("SELECT * FROM task ORDER BY app, number")
        defer { rows.reset() }
        var records: [TaskRecord] = []
        while try rows.step() {
            guard let record = TaskRows.record(rows, isMarked: isMarked) else {
                throw .damaged(path: path, reason: "task \(rows.number(1)) cannot be read")
            }
            guard records.last.map({ $0.id < record.id }) ?? true else {
                throw .damaged(path: path, reason: "its rows are not in their order")
            }
            records.append(record)
        }
        return records
    }

    /// Those of a store that knew no marks.
    private static func mark(_ records: [TaskRecord], in rows: TaskRows) throws(StoreError) {
        var content = StoreContentDigest()
        for record in records {
            try rows.remove(record.id, from: &content)
            content = StoreContentDigest()
        }
        for record in records { try rows.put(record, into: &content) }
        try rows.put(content)
    }

    // MARK: A damaged one

    private static func setAside(_ files: StoreFiles, because reason: String) throws(StoreError) {
        let salvage = try TaskSalvage(of: files)
        try SettingAside.begin(files) { name throws(StoreError) in
            var none: [TaskRecord] = []
            var successor = try TaskStore(
                at: files.name(of: .successor), on: files.place, tasks: &none)
            let report = TaskStoreSetAside(name: name, reason: reason, lost: salvage.lost)
            try report.write(to: successor.connection)
            try successor.apply(all: salvage.records.map { .put($0) })
        }
    }
}

/// The report as a row: the names of the lost tasks in one column, `app/number` with spaces between
/// them.
extension TaskStoreSetAside {
    init?(in connection: borrowing SQLiteConnection) throws(StoreError) {
        let row = try connection.prepare("SELECT * FROM set_aside")
        defer { row.reset() }
        guard try row.step() else { return nil }
        let lost = row.text(2).split(separator: " ").compactMap { name -> TaskID? in
            let parts = name.split(separator: "/")
            guard parts.count == 2, let app = UInt16(parts[0]), let number = UInt64(parts[1])
            else { return nil }
            return TaskID(app: app, number: number)
        }
        self.init(name: row.text(0), reason: row.text(1), lost: lost)
        let apps = try connection.prepare("SELECT app FROM told ORDER BY app")
        defer { apps.reset() }
        while try apps.step() {
            if let app = UInt16(exactly: apps.number(0)) { told.append(app) }
        }
    }

    func write(to connection: borrowing SQLiteConnection) throws(StoreError) {
        let row = try connection.prepare("INSERT INTO set_aside VALUES (?1, ?2, ?3)")
        try row.bind(name, to: 1)
        try row.bind(reason, to: 2)
        try row.bind(lost.map { "\($0.app)/\($0.number)" }.joined(separator: " "), to: 3)
        try row.run()
    }
}
