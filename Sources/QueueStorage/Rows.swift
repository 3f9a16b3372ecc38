import TransferEngine

/// The statements by which records of one kind become rows of their table.
struct Rows<Record: StoredRecord> {
    private let selectMark: SQLiteStatement
    private let put: SQLiteStatement
    private let drop: SQLiteStatement

    /// `put` is the statement that writes a row over the one with the same key.
    init(
        _ connection: borrowing SQLiteConnection, put: String = Record.table.replacement
    ) throws(StoreError) {
        let table = Record.table
        let key = table.key.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
        selectMark = try connection.prepare("SELECT mark FROM \(table.name) WHERE \(key)")
        self.put = try connection.prepare(put)
        drop = try connection.prepare("DELETE FROM \(table.name) WHERE \(key)")
    }

    /// Writes the record over the one with the same key, if there is one.
    func put(_ record: Record, into content: inout StoreContentDigest) throws(StoreError) {
        let mark = StoreContentDigest.mark(of: record)
        try selectMark.bind(keyOf: record)
        content.replace(mark: try selectedMark(), with: mark)
        try put.bind(record, mark: mark)
        try put.run()
    }

    /// Removes the record with this key, if there is one.
    func remove(_ key: [Int64], from content: inout StoreContentDigest) throws(StoreError) {
        for (place, number) in key.enumerated() {
            try selectMark.bind(number, to: Int32(place) + 1)
            try drop.bind(number, to: Int32(place) + 1)
        }
        content.replace(mark: try selectedMark(), with: nil)
        try drop.run()
    }

    private func selectedMark() throws(StoreError) -> UInt64? {
        defer { selectMark.reset() }
        return try selectMark.step() ? UInt64(bitPattern: selectMark.number(0)) : nil
    }
}

/// The rows of a table whose key is a number, on their way back to records.
struct NumberedReader<Record: StoredRecord> {
    private let rows: SQLiteStatement
    private let isAscending: Bool
    private let path: String

    init(
        _ connection: borrowing SQLiteConnection, path: String, order: String = "ASC"
    ) throws(StoreError) {
        rows = try connection.prepare(
            "SELECT * FROM \(Record.table.name) ORDER BY number \(order)")
        isAscending = order == "ASC"
        self.path = path
    }

    /// Returns all records. A row that does not match its mark is damage.
    func records(
        called name: String,
        _ record: (SQLiteStatement) throws(StoreError) -> Record? = { Record(marked: $0) }
    ) throws(StoreError) -> [Record] {
        var records: [Record] = []
        try walk { number, row throws(StoreError) in
            guard let record = try record(row) else {
                throw .damaged(path: path, reason: "\(name) \(number) is not as it was written")
            }
            records.append(record)
        }
        return records
    }

    /// Visits the rows in their order.
    func walk(
        _ visit: (_ number: Int64, SQLiteStatement) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer { rows.reset() }
        var last: Int64?
        while try rows.step() {
            let number = rows.number(0)
            // Where damaged pages lead to each other in a circle, the walk would never end.
            guard last.map({ isAscending ? $0 < number : $0 > number }) ?? true else {
                throw .damaged(path: path, reason: "its rows are not in their order")
            }
            last = number
            try visit(number, rows)
        }
    }
}

extension StoredRecord {
    /// The record of a row; `nil` if the row makes no sense.
    init?(_ row: SQLiteStatement) {
        let record = Self.table.record { place, column in
            row.value(Int32(place), isText: column.isText, isOptional: column.isOptional)
        }
        guard let record else { return nil }
        self = record
    }

    /// The record of a row; `nil` if the row does not match its mark.
    init?(marked row: SQLiteStatement) {
        self.init(row)
        guard hasMark(of: row) else { return nil }
    }

    func hasMark(of row: SQLiteStatement) -> Bool {
        guard let place = Self.table.markPlace else { return true }
        return StoreContentDigest.mark(of: self) == UInt64(bitPattern: row.number(Int32(place)))
    }
}

extension SQLiteStatement {
    /// Binds all columns of a row.
    func bind<Record: StoredRecord>(_ record: Record, mark: UInt64 = 0) throws(StoreError) {
        var parameter: Int32 = 0
        for column in Record.table.columns {
            parameter += 1
            try bind(column.isMark ? mark.stored : column.value(record), to: parameter)
        }
    }

    /// Binds the columns by which a row is found.
    func bind<Record: StoredRecord>(keyOf record: Record) throws(StoreError) {
        for place in Record.table.key.indices {
            try bind(Record.table.columns[place].value(record), to: Int32(place) + 1)
        }
    }

    private func bind(_ value: StoredValue, to parameter: Int32) throws(StoreError) {
        switch value {
        case .none: try bind(Int64?.none, to: parameter)
        case .number(let number): try bind(number, to: parameter)
        case .text(let text): try bind(text, to: parameter)
        }
    }
}

extension UInt64 {
    /// The number in a column of a key.
    var key: Int64 { Int64(bitPattern: self) }
}
