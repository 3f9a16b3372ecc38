import TransferEngine

/// The intact tasks of a daemon's damaged store.
struct TaskSalvage: Salvage {
    static let schema = StoreSchema.tasks

    private(set) var tasks = Salvaged<TaskID, TaskRecord>()
    var hasMetDamage = false

    mutating func walk(
        _ connection: borrowing SQLiteConnection, path: String, version: Int
    ) throws(StoreError) {
        for order in ["ASC", "DESC"] {
            try keepingWhatIsThere { salvage throws(StoreError) in
                let rows = try connection.prepare(
                    "SELECT * FROM task ORDER BY app \(order), number \(order)")
                // Without marks a task is intact if it makes sense.
                try salvage.take(
                    rows, isAscending: order == "ASC", path, isMarked: version > 1)
            }
        }
    }

    private mutating func take(
        _ rows: SQLiteStatement, isAscending: Bool, _ path: String, isMarked: Bool
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
            if Self.plausible.contains(id.number) { tasks.named.insert(id) }
            if let record = TaskRecord(rows, isMarked: isMarked) { tasks.found[id] = record }
        }
    }

    /// No app has made so many: other numbers are damage.
    private static let plausible = 1...UInt64(UInt32.max)
}
