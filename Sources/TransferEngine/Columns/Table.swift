/// The table in which a store keeps records of one kind, each of them in a row.
package struct Table<Record: Sendable>: Sendable {
    package let name: String
    /// The first version of the store that has the table.
    package let since: Int
    /// The columns that tell rows apart; they are the first ones.
    package let key: [String]
    /// In the order of a row.
    package let columns: [Column<Record>]
    /// "?1, ?2, …", one for each column.
    package let parameters: String
    /// "host = ?2, …", one for each column outside the key.
    package let assignments: String
    package let markPlace: Int?
    /// In the order of the mark.
    private let marked: [Column<Record>]
    /// A record into which columns are read.
    private let blank: Record

    /// The columns in the order in which they enter the mark. In a row, those of later versions
    /// follow the others: old stores get them at the end.
    init(
        _ name: String, since: Int = 1, key: [String] = ["number"], blank: Record,
        columns: [Column<Record>]
    ) {
        self.name = name
        self.since = since
        self.key = key
        self.blank = blank
        marked = columns
        var row = columns
        for column in columns {
            guard let predecessor = column.predecessor else { continue }
            row.removeAll { $0.name == column.name }
            let place = row.firstIndex { $0.name == predecessor }
            row.insert(column, at: place.map { $0 + 1 } ?? 0)
        }
        let last = row.compactMap(\.since).max() ?? since
        self.columns = (since...last).flatMap { version in
            row.filter { ($0.since ?? since) == version }
        }
        assignments = self.columns.enumerated().dropFirst(key.count)
            .map { "\($1.name) = ?\($0 + 1)" }.joined(separator: ", ")
        parameters = row.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        markPlace = self.columns.firstIndex { $0.isMark }
    }

    /// Returns the record of a row's values; `nil` if one of them makes no sense.
    package func record(_ value: (_ place: Int, Column<Record>) -> StoredValue) -> Record? {
        var record = blank
        for (place, column) in columns.enumerated() {
            guard column.take(value(place, column), &record) else { return nil }
        }
        return record
    }

    /// Every column counts that has a place in the mark.
    func mark(_ record: Record, with mixer: inout MarkMixer) {
        for column in marked { column.mark(record, with: &mixer) }
    }
}

/// A record that a store keeps. One list of columns says how its table is made, how a row is
/// written and read, and how the record is marked.
package protocol StoredRecord: Sendable {
    static var table: Table<Self> { get }

    func mark(with mixer: inout MarkMixer)
}

extension StoredRecord {
    package func mark(with mixer: inout MarkMixer) { Self.table.mark(self, with: &mixer) }
}
