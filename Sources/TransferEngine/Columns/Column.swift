/// A column of a record's table: its name and type, the way of its value into the record and back,
/// and the way of its value into the record's mark.
package final class Column<Record>: Sendable {
    package let name: String
    package let isText: Bool
    package let isOptional: Bool
    /// The version that has added the column; `nil` if it is as old as its table.
    package let since: Int?
    /// What the column holds in rows that are older than itself.
    package let old: StoredValue
    /// The column before this one in the table, where the list has another one before it.
    let predecessor: String?
    /// Whether the column holds the mark, which follows from the others.
    package let isMark: Bool
    package let value: @Sendable (Record) -> StoredValue
    /// Reads a value into the record; returns whether it makes sense.
    package let take: @Sendable (StoredValue, inout Record) -> Bool
    private let marking: Marking
    private let isFlag: Bool

    /// How a value enters the mark.
    enum Marking: Sendable {
        /// Always; an optional value after a 1, and its absence as a 0.
        case always
        /// Only if there is a value, where another column says whether there is one.
        case ifAny
        case never
        /// After the name, if the value is not that of older rows. Their marks stay right.
        case ifNew(named: String?)
        case by(@Sendable (Record, inout MarkMixer) -> Void)
    }

    private init<Value: ColumnValue>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, since: Int?,
        old: StoredValue, after predecessor: String?, _ marking: Marking,
        _ value: @escaping @Sendable (Record) -> StoredValue
    ) {
        self.name = name
        isText = Value.isText
        isOptional = Value.isOptional
        isFlag = Value.self == Bool.self
        isMark = false
        self.since = since
        self.old = old
        self.predecessor = predecessor
        self.marking = marking
        self.value = value
        take = { stored, record in
            guard let value = Value(stored: stored) else { return false }
            record[keyPath: path] = value
            return true
        }
    }

    /// A column that is as old as its table. `value` reads what `path` reads: a key path is slow,
    /// and every change of a store reads all columns of a record.
    convenience init(
        _ name: String, _ path: any WritableKeyPath<Record, some ColumnValue> & Sendable,
        after predecessor: String? = nil, _ marking: Marking = .always,
        _ value: @escaping @Sendable (Record) -> StoredValue
    ) {
        self.init(
            name, path, since: nil, old: .none, after: predecessor, marking, value)
    }

    /// A column that a later version has added, with `before` in older rows. It has a name in the
    /// mark, as it is often left out there.
    convenience init<Value: ColumnValue>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, since: Int,
        before: Value, named: String? = nil,
        _ value: @escaping @Sendable (Record) -> StoredValue
    ) {
        self.init(
            name, path, since: since, old: before.stored, after: nil, .ifNew(named: named), value)
    }

    /// The column of the mark; rows without one have 0.
    static func mark(since: Int? = nil) -> Column { Column(markSince: since) }

    private init(markSince since: Int?) {
        name = "mark"
        predecessor = nil
        isText = false
        isOptional = false
        isFlag = false
        isMark = true
        self.since = since
        old = .number(0)
        marking = .never
        value = { _ in .none }
        take = { _, _ in true }
    }

    func mark(_ record: Record, with mixer: inout MarkMixer) {
        switch marking {
        case .never: break
        case .always:
            let value = value(record)
            if isOptional { mixer.add(value == .none ? 0 : 1) }
            mixer.add(value)
        case .ifAny: mixer.add(value(record))
        case .ifNew(let name):
            let value = value(record)
            guard value != old else { return }
            if let name { mixer.add(name) }
            // A flag has its name, whichever of its two values is the new one.
            mixer.add(isFlag ? .number(1) : value)
        case .by(let mix): mix(record, &mixer)
        }
    }
}
