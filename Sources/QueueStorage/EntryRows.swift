import Quantities
import TransferEngine

/// The statements by which resumable transfers become rows.
struct EntryRows {
    private let rows: NumberedRows
    private let putEntry: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        rows = try NumberedRows(of: "entry", connection)
        putEntry = try connection.prepare(
            """
            INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
                ?13, ?14, ?15, ?16, ?17)
            """)
    }

    /// Writes the record over the one with the same number, if there is one.
    func put(
        _ record: EntryRecord, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let number = Int64(bitPattern: record.id.number)
        let mark = StoreContentDigest.mark(of: record)
        content.replace(mark: try rows.mark(of: number), with: mark)
        let fingerprint = record.transfer.fingerprint
        try putEntry.bind(number, to: 1)
        try putEntry.bind(record.bucket, to: 2)
        try putEntry.bind(record.account.host, to: 3)
        try putEntry.bind(Int64(record.account.port), to: 4)
        try putEntry.bind(record.account.credentials.name, to: 5)
        try putEntry.bind(record.isDownload ? 1 : 0, to: 6)
        try putEntry.bind(record.path, to: 7)
        try putEntry.bind(record.transfer.source, to: 8)
        try putEntry.bind(record.transfer.destination, to: 9)
        try putEntry.bind(fingerprint.map { Int64(bitPattern: $0.size.bytes) }, to: 10)
        try putEntry.bind(fingerprint.map { Int64(bitPattern: $0.modified) }, to: 11)
        try putEntry.bind(record.transfer.resource, to: 12)
        try putEntry.bind(record.transfer.isComplete ? 1 : 0, to: 13)
        try putEntry.bind(record.digest.map { Int64(bitPattern: $0) }, to: 14)
        try putEntry.bind(Int64(bitPattern: record.done.bytes), to: 15)
        try putEntry.bind(record.state.rawValue, to: 16)
        try putEntry.bind(Int64(bitPattern: mark), to: 17)
        try putEntry.run()
    }

    /// Nothing if there is no such entry.
    func remove(
        _ entry: EntryID, from content: inout StoreContentDigest
    ) throws(StoreError) {
        try rows.remove(Int64(bitPattern: entry.number), from: &content)
    }

    /// All of them on their way back.
    static func reader(
        _ connection: borrowing SQLiteConnection, path: String, order: String = "ASC"
    ) throws(StoreError) -> NumberedReader<EntryRecord> {
        try NumberedReader(of: "entry", "transfer", connection, path: path, order: order, record)
    }

    private static func record(_ row: SQLiteStatement) -> EntryRecord? {
        guard let port = UInt16(exactly: row.number(3)),
            let state = EntryState(rawValue: row.text(15))
        else { return nil }
        var fingerprint: SourceFingerprint?
        if let size = row.optionalNumber(9), let modified = row.optionalNumber(10) {
            fingerprint = SourceFingerprint(
                size: ByteCount(UInt64(bitPattern: size)), modified: UInt64(bitPattern: modified))
        }
        let id = EntryID(UInt64(bitPattern: row.number(0)))
        let record = EntryRecord(
            id: id, bucket: row.text(1),
            account: Account(
                host: row.text(2), port: port, credentials: CredentialHandle(row.text(4))),
            isDownload: row.number(5) != 0, path: row.text(6),
            transfer: TransferRecord(
                id: id.transfer, source: row.text(7), destination: row.text(8),
                fingerprint: fingerprint, resource: row.optionalText(11),
                isComplete: row.number(12) != 0),
            digest: row.optionalNumber(13).map { UInt64(bitPattern: $0) },
            done: ByteCount(UInt64(bitPattern: row.number(14))), state: state)
        let mark = UInt64(bitPattern: row.number(16))
        return StoreContentDigest.mark(of: record) == mark ? record : nil
    }
}
