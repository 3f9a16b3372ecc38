import Quantities
import TransferEngine

/// The statements by which tasks become rows and rows become tasks.
struct TaskRows {
    let begin: SQLiteStatement
    let commit: SQLiteStatement
    private let selectMark: SQLiteStatement
    private let putTask: SQLiteStatement
    private let removeTask: SQLiteStatement
    private let selectContent: SQLiteStatement
    private let putContent: SQLiteStatement
    private let putTold: SQLiteStatement
    private let selectDelays: SQLiteStatement
    private let putDelay: SQLiteStatement
    private let removeDelay: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        selectMark = try connection.prepare("SELECT mark FROM task WHERE app = ?1 AND number = ?2")
        putTask = try connection.prepare(
            """
            INSERT OR REPLACE INTO task VALUES
                (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                ?19, ?20, ?21, ?22, ?23)
            """)
        removeTask = try connection.prepare("DELETE FROM task WHERE app = ?1 AND number = ?2")
        selectContent = try connection.prepare("SELECT marks FROM content")
        putContent = try connection.prepare("UPDATE content SET marks = ?1")
        putTold = try connection.prepare("INSERT OR REPLACE INTO told VALUES (?1)")
        selectDelays = try connection.prepare("SELECT * FROM delay ORDER BY app")
        putDelay = try connection.prepare("INSERT OR REPLACE INTO delay VALUES (?1, ?2)")
        removeDelay = try connection.prepare("DELETE FROM delay WHERE app = ?1")
    }

    /// Writes the record over the one with the same name, if there is one.
    func put(
        _ record: TaskRecord, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let mark = StoreContentDigest.mark(of: record)
        content.replace(mark: try self.mark(of: record.id), with: mark)
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
        try putTask.bind(Int64(bitPattern: mark), to: 21)
        try putTask.bind(record.isResumable ? 1 : 0, to: 22)
        try putTask.bind(Int64(record.installation), to: 23)
        try putTask.run()
    }

    /// Nothing if there is no such task.
    func remove(_ id: TaskID, from content: inout StoreContentDigest) throws(StoreError) {
        content.replace(mark: try mark(of: id), with: nil)
        try removeTask.bind(Int64(id.app), to: 1)
        try removeTask.bind(Int64(bitPattern: id.number), to: 2)
        try removeTask.run()
    }

    func put(_ content: StoreContentDigest) throws(StoreError) {
        try putContent.bind(Int64(bitPattern: content.value), to: 1)
        try putContent.run()
    }

    func putTold(_ app: UInt16) throws(StoreError) {
        try putTold.bind(Int64(app), to: 1)
        try putTold.run()
    }

    /// One that is as on the first day needs no row.
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

    /// Those that make no sense are as if they were not there, and then the marks do not add up.
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

    /// What the sum of all marks was when it was last written.
    func content() throws(StoreError) -> StoreContentDigest {
        defer { selectContent.reset() }
        var content = StoreContentDigest()
        if try selectContent.step() {
            content.replace(mark: nil, with: UInt64(bitPattern: selectContent.number(0)))
        }
        return content
    }

    private func mark(of id: TaskID) throws(StoreError) -> UInt64? {
        try selectMark.bind(Int64(id.app), to: 1)
        try selectMark.bind(Int64(bitPattern: id.number), to: 2)
        defer { selectMark.reset() }
        return try selectMark.step() ? UInt64(bitPattern: selectMark.number(0)) : nil
    }

    // MARK: The way back

    /// The task of a row of all columns; `nil` if it is not what its mark was made from. Rows of
    /// stores without marks are taken as they are, as far as they make sense.
    static func record(_ row: SQLiteStatement, isMarked: Bool = true) -> TaskRecord? {
        guard let app = UInt16(exactly: row.number(0)), let port = UInt16(exactly: row.number(4)),
            let limits = UInt8(exactly: row.number(11)),
            let state = TaskState(rawValue: row.text(13)),
            let installation = UInt32(exactly: row.number(22))
        else { return nil }
        let outcome = row.optionalNumber(17).flatMap(outcome)
        guard (outcome != nil) == (state == .finished) else { return nil }
        let id = TaskID(app: app, number: UInt64(bitPattern: row.number(1)))
        var fingerprint: SourceFingerprint?
        if let size = row.optionalNumber(9), let modified = row.optionalNumber(10) {
            fingerprint = SourceFingerprint(
                size: ByteCount(UInt64(bitPattern: size)), modified: UInt64(bitPattern: modified))
        }
        let record = TaskRecord(
            id: id, session: row.text(2),
            account: Account(
                host: row.text(3), port: port, credentials: CredentialHandle(row.text(5))),
            transfer: TransferRecord(
                id: id.transfer, source: row.text(6), destination: row.text(7),
                fingerprint: fingerprint, resource: row.optionalText(8),
                isComplete: row.number(19) != 0),
            isDownload: row.number(18) != 0, isResumable: row.number(21) != 0,
            limits: NetworkLimits(rawValue: limits), isDiscretionary: row.number(12) != 0,
            state: state, failures: Int(row.number(14)),
            notBefore: row.optionalNumber(15).map(moment),
            deadline: row.optionalNumber(16).map(moment),
            outcome: outcome, installation: installation)
        let mark = UInt64(bitPattern: row.number(20))
        return !isMarked || StoreContentDigest.mark(of: record) == mark ? record : nil
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
