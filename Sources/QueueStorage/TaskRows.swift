import Quantities
import TransferEngine

/// The statements by which tasks and the delays of apps become rows.
struct TaskRows {
    let tasks: Rows<TaskRecord>
    private let putTold: SQLiteStatement
    private let selectDelays: SQLiteStatement
    private let putDelay: SQLiteStatement
    private let removeDelay: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        tasks = try Rows(connection)
        putTold = try connection.prepare("INSERT OR REPLACE INTO told VALUES (?1)")
        selectDelays = try connection.prepare("SELECT * FROM delay ORDER BY app")
        putDelay = try connection.prepare("INSERT OR REPLACE INTO delay VALUES (?1, ?2)")
        removeDelay = try connection.prepare("DELETE FROM delay WHERE app = ?1")
    }

    func putTold(_ app: UInt16) throws(StoreError) {
        try putTold.bind(Int64(app), to: 1)
        try putTold.run()
    }

    /// The first delay needs no row.
    func put(
        _ delay: BackgroundDelay, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let before = try delays().first { $0.app == delay.app }
        let mark = StoreContentDigest.mark(of: delay)
        content.replace(mark: before.flatMap(StoreContentDigest.mark), with: mark)
        let statement = mark == nil ? removeDelay : putDelay
        try statement.bind(Int64(delay.app), to: 1)
        if mark != nil { try statement.bind(delay.time.nanoseconds, to: 2) }
        try statement.run()
    }

    /// Rows that make no sense are passed over, and then the marks do not add up.
    func delays() throws(StoreError) -> [BackgroundDelay] {
        defer { selectDelays.reset() }
        var delays: [BackgroundDelay] = []
        while try selectDelays.step() {
            let time = TimeSpan(nanoseconds: selectDelays.number(1))
            guard let app = UInt16(exactly: selectDelays.number(0)), time > .zero else { continue }
            delays.append(BackgroundDelay(of: app, time))
        }
        return delays
    }
}

extension TaskRecord {
    /// The task of a row; `nil` if the row does not match its mark. Rows of stores without marks
    /// are taken as they are, as far as they make sense.
    init?(_ row: SQLiteStatement, isMarked: Bool) {
        self.init(row)
        guard (outcome != nil) == (state == .finished) else { return nil }
        guard !isMarked || hasMark(of: row) else { return nil }
    }
}
