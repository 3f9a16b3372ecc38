import TransferEngine

/// The statements by which accounts become rows.
struct AccountRows {
    private let rows: NumberedRows
    private let putAccount: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        rows = try NumberedRows(of: "account", connection)
        putAccount = try connection.prepare(
            "INSERT OR REPLACE INTO account VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    }

    /// Writes the record over the one with the same number, if there is one.
    func put(
        _ record: AccountRecord, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let number = Int64(bitPattern: record.id.number)
        let mark = StoreContentDigest.mark(of: record)
        content.replace(mark: try rows.mark(of: number), with: mark)
        try putAccount.bind(number, to: 1)
        try putAccount.bind(record.account.name, to: 2)
        try putAccount.bind(record.account.access.host, to: 3)
        try putAccount.bind(Int64(record.account.access.port), to: 4)
        try putAccount.bind(record.account.access.credentials.name, to: 5)
        try putAccount.bind(record.account.folder, to: 6)
        try putAccount.bind(Int64(bitPattern: mark), to: 7)
        try putAccount.run()
    }

    /// Nothing if there is no such account.
    func remove(
        _ account: AccountID, from content: inout StoreContentDigest
    ) throws(StoreError) {
        try rows.remove(Int64(bitPattern: account.number), from: &content)
    }

    /// All of them on their way back.
    static func reader(
        _ connection: borrowing SQLiteConnection, path: String, order: String = "ASC"
    ) throws(StoreError) -> NumberedReader<AccountRecord> {
        try NumberedReader(
            of: "account", "account", connection, path: path, order: order, record)
    }

    private static func record(_ row: SQLiteStatement) -> AccountRecord? {
        guard let port = UInt16(exactly: row.number(3)) else { return nil }
        let access = Account(
            host: row.text(2), port: port, credentials: CredentialHandle(row.text(4)))
        let record = AccountRecord(
            AccountID(UInt64(bitPattern: row.number(0))),
            QueueAccount(access, name: row.text(1), folder: row.text(5)))
        let mark = UInt64(bitPattern: row.number(6))
        return StoreContentDigest.mark(of: record) == mark ? record : nil
    }
}
