import TransferEngine

/// The statements by which accounts become rows.
struct AccountRows {
    private let selectMark: SQLiteStatement
    private let putAccount: SQLiteStatement
    private let dropAccount: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        selectMark = try connection.prepare("SELECT mark FROM account WHERE number = ?1")
        putAccount = try connection.prepare(
            "INSERT OR REPLACE INTO account VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        dropAccount = try connection.prepare("DELETE FROM account WHERE number = ?1")
    }

    /// Writes the record over the one with the same number, if there is one.
    func put(
        _ record: AccountRecord, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let number = Int64(bitPattern: record.id.number)
        let mark = StoreContentDigest.mark(of: record)
        content.replace(mark: try self.mark(of: number), with: mark)
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
        let number = Int64(bitPattern: account.number)
        content.replace(mark: try mark(of: number), with: nil)
        try dropAccount.bind(number, to: 1)
        try dropAccount.run()
    }

    private func mark(of number: Int64) throws(StoreError) -> UInt64? {
        try selectMark.bind(number, to: 1)
        defer { selectMark.reset() }
        return try selectMark.step() ? UInt64(bitPattern: selectMark.number(0)) : nil
    }
}

/// The rows on their way back to records, each held against its mark.
struct AccountReader {
    private let accounts: SQLiteStatement
    private let isAscending: Bool
    private let path: String

    init(
        _ connection: borrowing SQLiteConnection, path: String, order: String = "ASC"
    ) throws(StoreError) {
        accounts = try connection.prepare("SELECT * FROM account ORDER BY number \(order)")
        isAscending = order == "ASC"
        self.path = path
    }

    func records() throws(StoreError) -> [AccountRecord] {
        var records: [AccountRecord] = []
        try walk { number, record throws(StoreError) in
            guard let record else {
                throw .damaged(path: path, reason: "account \(number) is not as it was written")
            }
            records.append(record)
        }
        return records
    }

    /// `nil` stands for one that is not what its mark was made from.
    func walk(
        _ body: (Int64, AccountRecord?) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer { accounts.reset() }
        var last: Int64?
        while try accounts.step() {
            let number = accounts.number(0)
            // Where damaged pages lead to each other in a circle, it would never end.
            guard last.map({ isAscending ? $0 < number : $0 > number }) ?? true else {
                throw .damaged(path: path, reason: "its rows are not in their order")
            }
            last = number
            try body(number, record)
        }
    }

    private var record: AccountRecord? {
        guard let port = UInt16(exactly: accounts.number(3)) else { return nil }
        let access = Account(
            host: accounts.text(2), port: port, credentials: CredentialHandle(accounts.text(4)))
        let record = AccountRecord(
            AccountID(UInt64(bitPattern: accounts.number(0))),
            QueueAccount(access, name: accounts.text(1), folder: accounts.text(5)))
        let mark = UInt64(bitPattern: accounts.number(6))
        return StoreContentDigest.mark(of: record) == mark ? record : nil
    }
}
