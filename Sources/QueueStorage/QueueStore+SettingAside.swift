import TransferEngine

/// How a damaged store of sessions is set aside.
extension QueueStore {
    static func setAside(_ files: StoreFiles, because reason: String) throws(StoreError) {
        let salvage = try QueueSalvage(of: files)
        try SettingAside.begin(files) { name throws(StoreError) in
            try makeSuccessor(
                files, of: salvage.changes,
                StoreSetAside(
                    name: name, reason: reason, lost: salvage.lost,
                    lastTransfer: salvage.lastTransfer))
        }
    }

    private static func makeSuccessor(
        _ files: StoreFiles, of records: [StoreChange], _ report: StoreSetAside
    ) throws(StoreError) {
        var none: [SessionRecord] = []
        var successor = try QueueStore(
            at: files.name(of: .successor), on: files.place, sessions: &none)
        try successor.report(report)
        try successor.apply(all: records)
        successor.close()
    }
}

/// The report as a row: the numbers of the lost sessions in one column, with spaces between them.
extension StoreSetAside {
    init?(in connection: borrowing SQLiteConnection) throws(StoreError) {
        let row = try connection.prepare("SELECT * FROM set_aside")
        defer { row.reset() }
        guard try row.step() else { return nil }
        let lost = row.text(2).split(separator: " ").compactMap { UInt64($0) }
        self.init(
            name: row.text(0), reason: row.text(1), lost: lost.map(SessionID.init),
            lastTransfer: TransferID(UInt64(bitPattern: row.number(3))))
    }

    func write(to connection: borrowing SQLiteConnection) throws(StoreError) {
        let row = try connection.prepare("INSERT INTO set_aside VALUES (?1, ?2, ?3, ?4)")
        try row.bind(name, to: 1)
        try row.bind(reason, to: 2)
        try row.bind(lost.map { "\($0.number)" }.joined(separator: " "), to: 3)
        try row.bind(Int64(bitPattern: lastTransfer.number), to: 4)
        try row.run()
    }
}
