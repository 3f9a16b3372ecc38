import TransferEngine

/// The statements by which sessions become rows, and their files.
struct SessionRows {
    private let sessions: Rows<SessionRecord>
    private let putFile: SQLiteStatement
    private let dropFiles: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        sessions = try Rows(connection, put: SessionRecord.table.update)
        putFile = try connection.prepare(Self.putFileText)
        dropFiles = try connection.prepare(
            "DELETE FROM transfer WHERE session = ?1 AND place >= ?2")
    }

    /// Most changes of a session leave most of its files as they were: those rows are not written.
    private static let putFileText: String = {
        let table = SessionFile.table
        let places = table.columns.indices.dropFirst(table.key.count)
        let names = places.map { table.columns[$0].name }.joined(separator: ", ")
        let values = places.map { "?\($0 + 1)" }.joined(separator: ", ")
        return table.update + "\nWHERE (\(names)) IS NOT (\(values))"
    }()

    /// Writes the record over the one with the same number, if there is one.
    func put(_ record: SessionRecord, into content: inout StoreContentDigest) throws(StoreError) {
        try sessions.put(record, into: &content)
        for (place, transfer) in record.transfers.enumerated() {
            try putFile.bind(SessionFile(transfer, of: record.id.number, at: place))
            try putFile.run()
        }
        try dropFiles(of: record.id.number.key, from: record.transfers.count)
    }

    /// Removes the session with this number, if there is one.
    func remove(_ number: Int64, from content: inout StoreContentDigest) throws(StoreError) {
        try dropFiles(of: number, from: 0)
        try sessions.remove([number], from: &content)
    }

    private func dropFiles(of session: Int64, from place: Int) throws(StoreError) {
        try dropFiles.bind(session, to: 1)
        try dropFiles.bind(Int64(place), to: 2)
        try dropFiles.run()
    }

    /// Returns all sessions. Both tables are walked once, side by side.
    static func records(
        _ connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) -> [SessionRecord] {
        let reader = try NumberedReader<SessionRecord>(connection, path: path)
        let files = try connection.prepare("SELECT * FROM transfer ORDER BY session, place")
        defer { files.reset() }
        var hasFile = try files.step()
        let records = try reader.records(called: "session") { row throws(StoreError) in
            var transfers: [TransferRecord] = []
            while hasFile, files.number(0) == row.number(0) {
                try take(files, into: &transfers, path: path)
                hasFile = try files.step()
            }
            return session(row, with: transfers)
        }
        guard !hasFile else { throw .damaged(path: path, reason: "a file belongs to no session") }
        return records
    }

    /// Returns a session whose files are looked for; `nil` if it does not match its mark.
    static func record(
        _ row: SQLiteStatement, files: SQLiteStatement, path: String
    ) throws(StoreError) -> SessionRecord? {
        defer { files.reset() }
        try files.bind(row.number(0), to: 1)
        var transfers: [TransferRecord] = []
        while try files.step() { try take(files, into: &transfers, path: path) }
        return session(row, with: transfers)
    }

    private static func take(
        _ row: SQLiteStatement, into transfers: inout [TransferRecord], path: String
    ) throws(StoreError) {
        // Where damaged pages lead to each other in a circle, the walk would never end.
        guard row.number(1) == transfers.count, let file = SessionFile(row) else {
            throw .damaged(path: path, reason: "its rows are not in their order")
        }
        transfers.append(file.transfer)
    }

    private static func session(
        _ row: SQLiteStatement, with transfers: [TransferRecord]
    ) -> SessionRecord? {
        guard var record = SessionRecord(row) else { return nil }
        record.transfers = transfers
        return record.hasMark(of: row) ? record : nil
    }
}
