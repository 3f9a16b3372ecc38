// SQLite's C interface hands out raw pointers to connections, statements and text; none of them
// leaves this file.
import CSQLite
import TransferEngine

/// A connection to one database; statements live as long as it does.
struct SQLiteConnection: ~Copyable {
    private let handle: OpaquePointer
    private let path: String
    /// Registered until the connection is closed; `nil` for a file of this machine.
    private let vfs: MediumVFS?

    init(path: String, on medium: (any StorageMedium)?) throws(StoreError) {
        _ = Self.memoryStatisticsAreOff
        self.path = path
        vfs = medium.map(MediumVFS.init)
        // One connection is used by one thread at a time: it needs no lock of its own.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, vfs?.name)
        guard code == SQLITE_OK, let opened else {
            let error = StoreError(code, of: opened, path: path)
            sqlite3_close(opened)
            throw error
        }
        // Known before a page is read: later it may be a damaged page that says so.
        guard sqlite3_db_readonly(opened, "main") == 0 else {
            sqlite3_close(opened)
            throw .cannotOpen(path: path, reason: "it may be read only")
        }
        handle = opened
    }

    /// A database in memory, with these bytes for its file.
    static func inMemory(_ bytes: [UInt8] = []) throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", on: nil)
        guard !bytes.isEmpty else { return connection }
        guard let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
            throw StoreError(SQLITE_NOMEM, of: connection.handle, path: connection.path)
        }
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
        let code = sqlite3_deserialize(
            connection.handle, "main", copy.assumingMemoryBound(to: UInt8.self),
            Int64(bytes.count), Int64(bytes.count), UInt32(SQLITE_DESERIALIZE_FREEONCLOSE))
        guard code == SQLITE_OK else {
            throw StoreError(code, of: connection.handle, path: connection.path)
        }
        return connection
    }

    /// What a file of the database holds.
    var bytes: [UInt8] {
        var count: Int64 = 0
        guard let copy = sqlite3_serialize(handle, "main", &count, 0) else { return [] }
        defer { sqlite3_free(copy) }
        return Array(UnsafeBufferPointer(start: copy, count: Int(count)))
    }

    deinit {
        while let statement = sqlite3_next_stmt(handle, nil) { sqlite3_finalize(statement) }
        let code = sqlite3_close(handle)
        precondition(code == SQLITE_OK, "a database was closed while in use: code \(code)")
    }

    func run(_ text: String) throws(StoreError) {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    func prepare(_ text: String) throws(StoreError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, text, -1, flags, &statement, nil) == SQLITE_OK,
            let statement
        else { throw error }
        return SQLiteStatement(statement, of: handle, path: path)
    }

    /// The first number of the first row.
    func number(_ text: String) throws(StoreError) -> Int64 {
        let statement = try prepare(text)
        defer { statement.finalize() }
        return try statement.step() ? statement.number(0) : 0
    }

    /// A file whose rows can all be read may still refuse each change: as a page has an inside that
    /// does not fit together, or as its header says that a newer program alone may write it. That
    /// has to show when something can be done about it.
    func requireSound() throws(StoreError) {
        guard sqlite3_db_readonly(handle, "main") == 0 else {
            throw .damaged(path: path, reason: "its header says that it may not be written")
        }
        let check = try prepare("PRAGMA quick_check(1)")
        defer { check.finalize() }
        guard try check.step(), check.text(0) != "ok" else { return }
        throw .damaged(path: path, reason: check.text(0))
    }

    /// After some errors SQLite has done so by itself; what is left then is for the next opening.
    func rollBack() {
        if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    private var error: StoreError {
        StoreError(sqlite3_extended_errcode(handle), of: handle, path: path)
    }

    /// Asked once per process, before anything else; an app that has used SQLite before us keeps
    /// them, and several threads then wait for each other.
    private static let memoryStatisticsAreOff = csqlite_switch_memory_statistics_off() == SQLITE_OK
}

/// A statement that is kept and used again: bind, step, read, reset.
struct SQLiteStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    private let path: String

    fileprivate init(_ statement: OpaquePointer, of connection: OpaquePointer, path: String) {
        self.statement = statement
        self.connection = connection
        self.path = path
    }

    /// Parameters are counted from 1.
    func bind(_ value: Int64?, to parameter: Int32) throws(StoreError) {
        let code =
            if let value {
                sqlite3_bind_int64(statement, parameter, value)
            } else {
                sqlite3_bind_null(statement, parameter)
            }
        guard code == SQLITE_OK else { throw StoreError(code, of: connection, path: path) }
    }

    func bind(_ value: String?, to parameter: Int32) throws(StoreError) {
        guard var value else { return try bind(Int64?.none, to: parameter) }
        let code = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty string has no address, but is not NULL.
                guard let start = characters.baseAddress else {
                    return csqlite_bind_text(statement, parameter, "", 0)
                }
                return csqlite_bind_text(statement, parameter, start, Int32(characters.count))
            }
        }
        guard code == SQLITE_OK else { throw StoreError(code, of: connection, path: path) }
    }

    /// Whether there is a row to read.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = StoreError(code, of: connection, path: path)
            sqlite3_reset(statement)
            throw error
        }
    }

    /// To the end, where no row is expected.
    func run() throws(StoreError) {
        while try step() {}
        reset()
    }

    func reset() { sqlite3_reset(statement) }

    fileprivate func finalize() { sqlite3_finalize(statement) }

    /// Columns are counted from 0.
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func value(_ column: Int32, isText: Bool, isOptional: Bool) -> StoredValue {
        if isOptional, isNull(column) { return .none }
        return isText ? .text(text(column)) : .number(number(column))
    }

    private func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }
}

extension StoreError {
    /// SQLite's code, sorted by what there is to do about it.
    fileprivate init(_ code: Int32, of connection: OpaquePointer?, path: String) {
        let said = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        let reason = "\(said) (SQLite code \(code))"
        self =
            switch code & 0xff {
            // Our statements are good: one that cannot be read has met tables that are not ours.
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_READONLY:
                .damaged(path: path, reason: reason)
            case SQLITE_BUSY: .inUse(path: path)
            case SQLITE_FULL: .noSpace(path: path)
            case SQLITE_CANTOPEN: .cannotOpen(path: path, reason: reason)
            default: .failed(path: path, reason: reason)
            }
    }
}
