import TransferEngine

/// What can still be read of a daemon's damaged store: each task that is as its mark says.
///
/// It goes about it as `QueueSalvage` does: from both ends of the table, and, where the damage lies
/// in the first page, with that of a good store in its place.
struct TaskSalvage: Salvage {
    private var found: [TaskID: TaskRecord] = [:]
    /// Names that some row still has.
    private var named: Set<TaskID> = []
    var hasMetDamage = false

    /// A disk that cannot be read is no damage: that is an error as ever.
    init(of files: StoreFiles) throws(StoreError) {
        let path = files.path(of: .store)
        try keepingWhatIsThere { salvage throws(StoreError) in
            let connection = try SQLiteConnection(path: path, on: files.medium)
            try connection.run(QueueSchema.settings)
            let version = try TaskSchema.mark.version(of: connection, path: path)
            try connection.run("BEGIN EXCLUSIVE")
            try TaskSchema.migrate(connection, from: version)
            // Without marks nobody can tell what is whole, but by what makes sense.
            try salvage.walk(connection, path: path, isMarked: version > 1)
        }
        guard hasMetDamage else { return }
        try keepingWhatIsThere { salvage throws(StoreError) in
            let bytes = try QueueSalvage.withFirstPage(
                of: TaskSchema.example().bytes, files.bytes(of: .store))
            try salvage.walk(SQLiteConnection.inMemory(bytes), path: path, isMarked: true)
        }
    }

    var records: [TaskRecord] { found.values.sorted { $0.id < $1.id } }

    var lost: [TaskID] { named.subtracting(found.keys).sorted() }

    private mutating func walk(
        _ connection: borrowing SQLiteConnection, path: String, isMarked: Bool
    ) throws(StoreError) {
        for order in ["ASC", "DESC"] {
            try keepingWhatIsThere { salvage throws(StoreError) in
                let rows = try connection.prepare(
                    "SELECT * FROM task ORDER BY app \(order), number \(order)")
                try salvage.take(rows, isAscending: order == "ASC", path, isMarked)
            }
        }
    }

    private mutating func take(
        _ rows: SQLiteStatement, isAscending: Bool, _ path: String, _ isMarked: Bool
    ) throws(StoreError) {
        var last: TaskID?
        while try rows.step() {
            guard let app = UInt16(exactly: rows.number(0)) else {
                throw .damaged(path: path, reason: "a row is of no app")
            }
            let id = TaskID(app: app, number: UInt64(bitPattern: rows.number(1)))
            // Where damaged pages lead to each other in a circle, the walk would never end.
            let isNext = last.map { isAscending ? $0 < id : id < $0 } ?? true
            guard isNext else { throw .damaged(path: path, reason: "its rows go in a circle") }
            last = id
            if Self.plausible.contains(id.number) { named.insert(id) }
            if let record = TaskRows.record(rows, isMarked: isMarked) { found[id] = record }
        }
    }

    /// No app has made so many: other numbers are damage.
    private static let plausible = 1...UInt64(UInt32.max)
}
