import TransferEngine

/// A damaged store makes room for a new one, into which goes all of it that is whole.
///
///     damaged at its place
///       ──▶ the same, and a successor that is whole beside it
///       ──▶ nothing at its place, the damaged one under another name
///       ──▶ the successor at its place
///
/// A process that dies at the first arrow has done nothing: the next launch begins again. From the
/// second on the next launch goes on where this one stopped. Nothing is ever deleted but a
/// successor that was not finished. The successor holds the report until the app has heard it.
extension QueueStore {
    static func setAside(_ files: StoreFiles, because reason: String) throws(StoreError) {
        let salvage = try QueueSalvage(of: files)
        let number = try freeNumber(among: files)
        // Of a launch that was cut off.
        try files.remove(.successor)
        try files.remove(.journal(of: .successor))
        try makeSuccessor(
            files, of: salvage.records,
            StoreSetAside(
                name: files.name(of: .damaged(number)), reason: reason, lost: salvage.lost,
                lastTransfer: salvage.lastTransfer))
        // It would be taken for the journal of whatever has the name next.
        try files.remove(.journal(of: .successor))
        try files.syncNames()
        try files.rename(.store, to: .damaged(number))
        try exchange(files, number)
    }

    /// Where an earlier launch has left off after the second arrow.
    static func finishSettingAside(_ files: StoreFiles) throws(StoreError) {
        guard try !files.exists(.store), try files.exists(.successor) else { return }
        try exchange(files, try freeNumber(among: files) - 1)
    }

    /// The journal goes with its store: it must not be taken for the successor's.
    private static func exchange(_ files: StoreFiles, _ number: Int) throws(StoreError) {
        if try files.exists(.journal(of: .store)) {
            try files.rename(.journal(of: .store), to: .journal(of: .damaged(number)))
        }
        try files.syncNames()
        try files.rename(.successor, to: .store)
        try files.syncNames()
    }

    private static func freeNumber(among files: StoreFiles) throws(StoreError) -> Int {
        var number = 1
        while try files.exists(.damaged(number)) { number += 1 }
        return number
    }

    private static func makeSuccessor(
        _ files: StoreFiles, of records: [SessionRecord], _ report: StoreSetAside
    ) throws(StoreError) {
        var none: [SessionRecord] = []
        var successor = try QueueStore(
            at: files.name(of: .successor), on: files.place, sessions: &none)
        try successor.report(report)
        try successor.apply(all: records.map { .put($0) })
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
