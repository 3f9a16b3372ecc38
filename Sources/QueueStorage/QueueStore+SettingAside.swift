import TransferEngine

/// How a damaged store of sessions is set aside.
extension QueueStore {
    static func setAside(_ files: StoreFiles, because reason: String) throws(StoreError) {
        let salvage = try QueueSalvage(of: files)
        try SettingAside.begin(files) { name throws(StoreError) in
            var none: [SessionRecord] = []
            var successor = try QueueStore(
                at: files.name(of: .successor), on: files.place, sessions: &none)
            try salvage.report(as: name, because: reason).write(to: successor.connection)
            try successor.apply(all: salvage.changes)
            successor.close()
        }
    }
}

/// The report as a row: what is lost in one column, with spaces between, a session by its number, a
/// resumable transfer as `entry/3` and an account as `account/2`.
///
/// A program that knows no such names passes them over.
extension StoreSetAside {
    init?(in connection: borrowing SQLiteConnection) throws(StoreError) {
        let row = try connection.prepare("SELECT * FROM set_aside")
        defer { row.reset() }
        guard try row.step() else { return nil }
        let lost = row.text(2).split(separator: " ")
        func numbers(after mark: String) -> [UInt64] {
            lost.filter { $0.hasPrefix(mark) }.compactMap { UInt64($0.dropFirst(mark.count)) }
        }
        self.init(
            name: row.text(0), reason: row.text(1), lost: numbers(after: "").map(SessionID.init),
            entries: numbers(after: Self.entryMark).map(EntryID.init),
            accounts: numbers(after: Self.accountMark).map(AccountID.init),
            lastTransfer: TransferID(UInt64(bitPattern: row.number(3))))
    }

    func write(to connection: borrowing SQLiteConnection) throws(StoreError) {
        let row = try connection.prepare("INSERT INTO set_aside VALUES (?1, ?2, ?3, ?4)")
        try row.bind(name, to: 1)
        try row.bind(reason, to: 2)
        let names =
            lost.map { "\($0.number)" } + lostEntries.map { "\(Self.entryMark)\($0.number)" }
            + lostAccounts.map { "\(Self.accountMark)\($0.number)" }
        try row.bind(names.joined(separator: " "), to: 3)
        try row.bind(Int64(bitPattern: lastTransfer.number), to: 4)
        try row.run()
    }

    private static let entryMark = "entry/"
    private static let accountMark = "account/"
}
