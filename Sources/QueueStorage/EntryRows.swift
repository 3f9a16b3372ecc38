import Quantities
import TransferEngine

/// The statements by which resumable transfers become rows.
struct EntryRows {
    private let selectMark: SQLiteStatement
    private let putEntry: SQLiteStatement
    private let dropEntry: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        selectMark = try connection.prepare("SELECT mark FROM entry WHERE number = ?1")
        putEntry = try connection.prepare(
            """
            INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
                ?13, ?14, ?15, ?16, ?17)
            """)
        dropEntry = try connection.prepare("DELETE FROM entry WHERE number = ?1")
    }

    /// Writes the record over the one with the same number, if there is one.
    func put(
        _ record: EntryRecord, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let number = Int64(bitPattern: record.id.number)
        let mark = StoreContentDigest.mark(of: record)
        content.replace(mark: try self.mark(of: number), with: mark)
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
        let number = Int64(bitPattern: entry.number)
        content.replace(mark: try mark(of: number), with: nil)
        try dropEntry.bind(number, to: 1)
        try dropEntry.run()
    }

    private func mark(of number: Int64) throws(StoreError) -> UInt64? {
        try selectMark.bind(number, to: 1)
        defer { selectMark.reset() }
        return try selectMark.step() ? UInt64(bitPattern: selectMark.number(0)) : nil
    }
}

/// The rows on their way back to records, each held against its mark.
struct EntryReader {
    private let entries: SQLiteStatement
    private let isAscending: Bool
    private let path: String

    init(
        _ connection: borrowing SQLiteConnection, path: String, order: String = "ASC"
    ) throws(StoreError) {
        entries = try connection.prepare("SELECT * FROM entry ORDER BY number \(order)")
        isAscending = order == "ASC"
        self.path = path
    }

    func records() throws(StoreError) -> [EntryRecord] {
        var records: [EntryRecord] = []
        try walk { number, record throws(StoreError) in
            guard let record else {
                throw .damaged(path: path, reason: "transfer \(number) is not as it was written")
            }
            records.append(record)
        }
        return records
    }

    /// `nil` stands for one that is not what its mark was made from.
    func walk(
        _ body: (Int64, EntryRecord?) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer { entries.reset() }
        var last: Int64?
        while try entries.step() {
            let number = entries.number(0)
            // Where damaged pages lead to each other in a circle, it would never end.
            guard last.map({ isAscending ? $0 < number : $0 > number }) ?? true else {
                throw .damaged(path: path, reason: "its rows are not in their order")
            }
            last = number
            try body(number, record)
        }
    }

    private var record: EntryRecord? {
        guard let port = UInt16(exactly: entries.number(3)),
            let state = EntryState(rawValue: entries.text(15))
        else { return nil }
        var fingerprint: SourceFingerprint?
        if let size = entries.optionalNumber(9), let modified = entries.optionalNumber(10) {
            fingerprint = SourceFingerprint(
                size: ByteCount(UInt64(bitPattern: size)), modified: UInt64(bitPattern: modified))
        }
        let id = EntryID(UInt64(bitPattern: entries.number(0)))
        let record = EntryRecord(
            id: id, bucket: entries.text(1),
            account: Account(
                host: entries.text(2), port: port, credentials: CredentialHandle(entries.text(4))),
            isDownload: entries.number(5) != 0, path: entries.text(6),
            transfer: TransferRecord(
                id: id.transfer, source: entries.text(7), destination: entries.text(8),
                fingerprint: fingerprint, resource: entries.optionalText(11),
                isComplete: entries.number(12) != 0),
            digest: entries.optionalNumber(13).map { UInt64(bitPattern: $0) },
            done: ByteCount(UInt64(bitPattern: entries.number(14))), state: state)
        let mark = UInt64(bitPattern: entries.number(16))
        return StoreContentDigest.mark(of: record) == mark ? record : nil
    }
}
