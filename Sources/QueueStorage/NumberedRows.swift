import TransferEngine

/// What tables have in common of which each record is one row, with a number and a mark.
struct NumberedRows {
    private let selectMark: SQLiteStatement
    private let drop: SQLiteStatement

    init(of table: String, _ connection: borrowing SQLiteConnection) throws(StoreError) {
        selectMark = try connection.prepare("SELECT mark FROM \(table) WHERE number = ?1")
        drop = try connection.prepare("DELETE FROM \(table) WHERE number = ?1")
    }

    /// Nothing if there is no such row.
    func remove(
        _ number: Int64, from content: inout StoreContentDigest
    ) throws(StoreError) {
        content.replace(mark: try mark(of: number), with: nil)
        try drop.bind(number, to: 1)
        try drop.run()
    }

    func mark(of number: Int64) throws(StoreError) -> UInt64? {
        try selectMark.bind(number, to: 1)
        defer { selectMark.reset() }
        return try selectMark.step() ? UInt64(bitPattern: selectMark.number(0)) : nil
    }
}

/// Such rows on their way back to records, each held against its mark.
struct NumberedReader<Record> {
    private let rows: SQLiteStatement
    /// In the order of their numbers, or against it.
    private let isAscending: Bool
    private let path: String
    /// What a record is called.
    private let name: String
    /// `nil` for a row that is not what its mark was made from.
    private let record: (SQLiteStatement) -> Record?

    init(
        of table: String, _ name: String, _ connection: borrowing SQLiteConnection, path: String,
        order: String, _ record: @escaping (SQLiteStatement) -> Record?
    ) throws(StoreError) {
        rows = try connection.prepare("SELECT * FROM \(table) ORDER BY number \(order)")
        isAscending = order == "ASC"
        self.path = path
        self.name = name
        self.record = record
    }

    func records() throws(StoreError) -> [Record] {
        var records: [Record] = []
        try walk { number, record throws(StoreError) in
            guard let record else {
                throw .damaged(path: path, reason: "\(name) \(number) is not as it was written")
            }
            records.append(record)
        }
        return records
    }

    /// `nil` stands for one that is not what its mark was made from.
    func walk(
        _ body: (Int64, Record?) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer { rows.reset() }
        var last: Int64?
        while try rows.step() {
            let number = rows.number(0)
            // Where damaged pages lead to each other in a circle, it would never end.
            guard last.map({ isAscending ? $0 < number : $0 > number }) ?? true else {
                throw .damaged(path: path, reason: "its rows are not in their order")
            }
            last = number
            try body(number, record(rows))
        }
    }
}
