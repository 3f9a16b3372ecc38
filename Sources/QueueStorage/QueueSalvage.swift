import TransferEngine

/// The intact sessions, resumable transfers and accounts of a damaged store.
struct QueueSalvage: Salvage {
    static let schema = StoreSchema.queue

    private(set) var sessions = Salvaged<SessionID, SessionRecord>()
    private(set) var entries = Salvaged<EntryID, EntryRecord>()
    /// A lost account comes back by the sessions that refer to it: each remembers what is needed.
    private(set) var accounts = Salvaged<AccountID, AccountRecord>()
    /// The highest number of a transfer.
    private(set) var lastTransfer = TransferID(0)
    var hasMetDamage = false

    /// The changes that bring all records into a new store.
    var changes: [StoreChange] {
        accounts.records.map { .putAccount($0) } + sessions.records.map { .put($0) }
            + entries.records.map { .putEntry($0) }
    }

    func report(as name: String, because reason: String) -> StoreSetAside {
        // any order: they go into a set
        let needed = Set(sessions.found.values.compactMap(\.accountID))
        return StoreSetAside(
            name: name, reason: reason, lost: sessions.lost, entries: entries.lost,
            accounts: accounts.lost.filter { !needed.contains($0) }, lastTransfer: lastTransfer)
    }

    mutating func walk(
        _ connection: borrowing SQLiteConnection, path: String, version: Int
    ) throws(StoreError) {
        for order in ["ASC", "DESC"] {
            try keepingWhatIsThere { salvage throws(StoreError) in
                try salvage.takeSessions(connection, order, path: path)
            }
            try keepingWhatIsThere { salvage throws(StoreError) in
                try salvage.nameByFiles(connection, order, path: path)
            }
            try keepingWhatIsThere { salvage throws(StoreError) in
                let reader = try NumberedReader<EntryRecord>(connection, path: path, order: order)
                try reader.walk { number, row throws(StoreError) in
                    if let number = Self.number(number) {
                        salvage.entries.named.insert(EntryID(number))
                    }
                    guard let record = EntryRecord(marked: row) else { return }
                    salvage.entries.found[record.id] = record
                }
            }
            try keepingWhatIsThere { salvage throws(StoreError) in
                let reader = try NumberedReader<AccountRecord>(
                    connection, path: path, order: order)
                try reader.walk { number, row throws(StoreError) in
                    if let number = Self.number(number) {
                        salvage.accounts.named.insert(AccountID(number))
                    }
                    guard let record = AccountRecord(marked: row) else { return }
                    salvage.accounts.found[record.id] = record
                }
            }
        }
    }

    private mutating func takeSessions(
        _ connection: borrowing SQLiteConnection, _ order: String, path: String
    ) throws(StoreError) {
        let reader = try NumberedReader<SessionRecord>(connection, path: path, order: order)
        let files = try connection.prepare(
            "SELECT * FROM transfer WHERE session = ?1 ORDER BY place")
        try reader.walk { number, row throws(StoreError) in
            name(number)
            try keepingWhatIsThere { salvage throws(StoreError) in
                let record = try SessionRows.record(row, files: files, path: path)
                if let record { salvage.sessions.found[record.id] = record }
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
        if let number = Self.number(number) { sessions.named.insert(SessionID(number)) }
    }

    private static func number(_ number: Int64) -> UInt64? {
        plausible.contains(number) ? UInt64(number) : nil
    }

    /// Numbers are counted from 1, and nobody has enqueued so many: other numbers are damage.
    private static let plausible = 1...Int64(UInt32.max)
}
