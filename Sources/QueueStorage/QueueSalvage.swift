import TransferEngine

/// What can still be read of a damaged store: each session that is as its mark says.
///
/// A page that cannot be read ends a walk through a table; what lies behind it is reached from the
/// other end. Nothing is changed: the tables are brought to today's version in a transaction that
/// is never committed.
struct QueueSalvage: Salvage {
    private var found: [UInt64: SessionRecord] = [:]
    private var foundEntries: [EntryID: EntryRecord] = [:]
    private var foundAccounts: [AccountID: AccountRecord] = [:]
    /// Numbers that some row still has.
    private var named: Set<UInt64> = []
    private var namedEntries: Set<EntryID> = []
    private var namedAccounts: Set<AccountID> = []
    /// The highest of a transfer.
    private(set) var lastTransfer = TransferID(0)
    var hasMetDamage = false

    /// A disk that cannot be read is no damage: that is an error as ever.
    init(of files: StoreFiles) throws(StoreError) {
        let path = files.path(of: .store)
        try keepingWhatIsThere { salvage throws(StoreError) in
            let connection = try SQLiteConnection(path: path, on: files.medium)
            try connection.run(QueueSchema.settings)
            let version = try QueueSchema.mark.version(of: connection, path: path)
            try connection.run("BEGIN EXCLUSIVE")
            try QueueSchema.migrate(connection, from: version)
            try salvage.walk(connection, path: path)
        }
        guard hasMetDamage else { return }
        try keepingWhatIsThere { salvage throws(StoreError) in
            let bytes = try Self.withFirstPage(
                of: QueueSchema.example().bytes, files.bytes(of: .store))
            try salvage.walk(SQLiteConnection.inMemory(bytes), path: path)
        }
    }

    /// In the order of their numbers; their ranks say how they stand in the queue.
    var records: [SessionRecord] { found.values.sorted { $0.id < $1.id } }

    var entries: [EntryRecord] { foundEntries.values.sorted { $0.id < $1.id } }

    /// An account that is gone comes back by the sessions that refer to it: each remembers what is
    /// needed of it.
    var accounts: [AccountRecord] { foundAccounts.values.sorted { $0.id < $1.id } }

    /// All that goes into the next store.
    var changes: [StoreChange] {
        accounts.map { .putAccount($0) } + records.map { .put($0) } + entries.map { .putEntry($0) }
    }

    /// What goes into the report of it.
    func report(as name: String, because reason: String) -> StoreSetAside {
        // any order: they go into a set
        let needed = Set(found.values.compactMap(\.accountID))
        return StoreSetAside(
            name: name, reason: reason,
            lost: named.subtracting(found.keys).sorted().map(SessionID.init),
            entries: namedEntries.subtracting(foundEntries.keys).sorted(),
            accounts: namedAccounts.subtracting(foundAccounts.keys).subtracting(needed).sorted(),
            lastTransfer: lastTransfer)
    }

    /// The first page says what the tables are, and where each of them begins. Those of sessions
    /// and files are in the same places in every store, as they are made first; a column that an
    /// older version did not have is read as its step would have filled it. Resumable transfers and
    /// accounts are where they are looked for in stores that had them from the beginning.
    static func withFirstPage(of example: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        let page = 4_096
        guard bytes.count > page else { return bytes }
        var good = example
        good.replaceSubrange(page..., with: bytes[page...])
        // The number of pages (sqlite.org/fileformat.html, the database header).
        let count = UInt32(bytes.count / page)
        for place in 0..<4 {
            good[28 + place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * place))
        }
        return good
    }

    private mutating func walk(
        _ connection: borrowing SQLiteConnection, path: String
    ) throws(StoreError) {
        for order in ["ASC", "DESC"] {
            try keepingWhatIsThere { salvage throws(StoreError) in
                try salvage.takeSessions(connection, order, path: path)
            }
            try keepingWhatIsThere { salvage throws(StoreError) in
                try salvage.nameByFiles(connection, order, path: path)
            }
            try keepingWhatIsThere { salvage throws(StoreError) in
                let reader = try EntryRows.reader(connection, path: path, order: order)
                try reader.walk { number, record throws(StoreError) in
                    if let number = Self.number(number) {
                        salvage.namedEntries.insert(EntryID(number))
                    }
                    if let record { salvage.foundEntries[record.id] = record }
                }
            }
            try keepingWhatIsThere { salvage throws(StoreError) in
                let reader = try AccountRows.reader(connection, path: path, order: order)
                try reader.walk { number, record throws(StoreError) in
                    if let number = Self.number(number) {
                        salvage.namedAccounts.insert(AccountID(number))
                    }
                    if let record { salvage.foundAccounts[record.id] = record }
                }
            }
        }
    }

    private mutating func takeSessions(
        _ connection: borrowing SQLiteConnection, _ order: String, path: String
    ) throws(StoreError) {
        let reader = try QueueReader(
            connection, path: path, sessions: "SELECT * FROM session ORDER BY number \(order)",
            transfers: "SELECT * FROM transfer WHERE session = ?1 ORDER BY place")
        var last: Int64?
        while try reader.sessions.step() {
            let number = reader.sessions.number(0)
            try reader.require(last.map { ($0 < number) == (order == "ASC") } ?? true)
            try reader.require(last != number)
            last = number
            name(number)
            try keepingWhatIsThere { salvage throws(StoreError) in
                guard let record = try reader.sessionByItself() else { return }
                salvage.found[record.id.number] = record
            }
        }
    }

    /// A session whose own row is gone may still have its files.
    private mutating func nameByFiles(
        _ connection: borrowing SQLiteConnection, _ order: String, path: String
    ) throws(StoreError) {
        let numbers = try connection.prepare(
            "SELECT session, number, place FROM transfer ORDER BY session \(order), place \(order)")
        var last: (session: Int64, place: Int64)?
        while try numbers.step() {
            let place = (session: numbers.number(0), place: numbers.number(2))
            let isNext = last.map { order == "ASC" ? $0 < place : place < $0 } ?? true
            guard isNext else { throw .damaged(path: path, reason: "its rows go in a circle") }
            last = place
            name(place.session)
            guard Self.plausible.contains(numbers.number(1)) else { continue }
            lastTransfer.number = max(lastTransfer.number, UInt64(numbers.number(1)))
        }
    }

    private mutating func name(_ number: Int64) {
        if let number = Self.number(number) { named.insert(number) }
    }

    private static func number(_ number: Int64) -> UInt64? {
        plausible.contains(number) ? UInt64(number) : nil
    }

    /// All are counted from 1, and nobody has enqueued so many: other numbers are damage.
    private static let plausible = 1...Int64(UInt32.max)
}
