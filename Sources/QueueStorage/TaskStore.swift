package import TransferEngine

/// The tasks of a phone's transfer daemon in an SQLite database of its own, outside of every app's
/// container.
///
/// What `apply` has taken survives a restart and a loss of power (B5, S7).
package struct TaskStore: ~Copyable, RenewableStore {
    /// Of all that the store holds.
    package private(set) var content: StoreContentDigest
    /// A damaged store in whose place this one is.
    package let setAside: TaskStoreSetAside?
    /// As they were when the store was opened.
    package let delays: [BackgroundDelay]
    private let connection: SQLiteConnection
    private let commits: Commits
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
        self = try Self.whole(StoreFiles(name, on: place), &tasks)
    }

    init(asItIs files: StoreFiles, _ tasks: inout [TaskRecord]) throws(StoreError) {
        let path = files.path(of: .store)
        let file = try StoreSchema.tasks.open(files)
        let commits = try Commits(file.connection)
        let rows = try TaskRows(file.connection)
        let isMarked = file.version != 1
        let found = try Self.read(from: file.connection, path: path, isMarked: isMarked)
        let delays = try rows.delays()
        let content = StoreContentDigest(of: found, delays: delays)
        if !isMarked {
            var unmarked = StoreContentDigest()
            for record in found { try rows.tasks.put(record, into: &unmarked) }
            try commits.write(content)
        }
        guard content == (try commits.content()) else {
            throw .damaged(path: path, reason: "some of its rows are missing")
        }
        let setAside = try TaskStoreSetAside(in: file.connection)
        try commits.commit()

        self.content = content
        self.setAside = setAside
        self.delays = delays
        self.commits = commits
        self.rows = rows
        connection = file.connection
        tasks = found
    }

    package mutating func apply(_ change: TaskChange) throws(StoreError) {
        try apply(all: CollectionOfOne(change))
    }

    /// All of them or, if it throws, none.
    mutating func apply(all changes: some Sequence<TaskChange>) throws(StoreError) {
        content = try commits.carryOut(on: connection) { content throws(StoreError) in
            for change in changes {
                switch change {
                case .put(let record): try rows.tasks.put(record, into: &content)
                case .remove(let id):
                    try rows.tasks.remove([Int64(id.app), id.number.key], from: &content)
                case .delay(let delay): try rows.put(delay, into: &content)
                case .told(let app): try rows.putTold(app)
                }
            }
        }
    }

    private static func read(
        from connection: borrowing SQLiteConnection, path: String, isMarked: Bool
    ) throws(StoreError) -> [TaskRecord] {
        let rows = try connection.prepare("SELECT * FROM task ORDER BY app, number")
        defer { rows.reset() }
        var records: [TaskRecord] = []
        while try rows.step() {
            guard let record = TaskRecord(rows, isMarked: isMarked) else {
                throw .damaged(path: path, reason: "task \(rows.number(1)) cannot be read")
            }
            guard records.last.map({ $0.id < record.id }) ?? true else {
                throw .damaged(path: path, reason: "its rows are not in their order")
            }
            records.append(record)
        }
        return records
    }

    // MARK: A damaged one

    static func setAside(_ files: StoreFiles, because reason: String) throws(StoreError) {
        let salvage = try TaskSalvage(of: files)
        try SettingAside.begin(files) { name throws(StoreError) in
            var none: [TaskRecord] = []
            var successor = try TaskStore(
                at: files.name(of: .successor), on: files.place, tasks: &none)
            let report = TaskStoreSetAside(name: name, reason: reason, lost: salvage.tasks.lost)
            try report.write(to: successor.connection)
            try successor.apply(all: salvage.tasks.records.map { .put($0) })
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
