/// The intact records of a damaged store: those that match their marks.
///
/// A page that cannot be read ends a walk through a table; records behind it are reached from the
/// other end. Nothing is changed: the tables are brought to today's version in a transaction that
/// is never committed.
protocol Salvage {
    static var schema: StoreSchema { get }
    var hasMetDamage: Bool { get set }

    init()

    /// Takes what is intact. The tables are those of today; `version` is what they were.
    mutating func walk(
        _ connection: borrowing SQLiteConnection, path: String, version: Int
    ) throws(StoreError)
}

extension Salvage {
    /// A disk that cannot be read is not damage: its error is thrown.
    init(of files: StoreFiles) throws(StoreError) {
        self.init()
        let path = files.path(of: .store)
        try keepingWhatIsThere { salvage throws(StoreError) in
            let file = try Self.schema.open(files, isSalvaged: true)
            try salvage.walk(file.connection, path: path, version: file.version)
        }
        guard hasMetDamage else { return }
        try keepingWhatIsThere { salvage throws(StoreError) in
            let bytes = Self.withFirstPage(
                of: try Self.schema.example().bytes, try files.bytes(of: .store))
            try salvage.walk(
                SQLiteConnection.inMemory(bytes), path: path, version: Self.schema.version)
        }
    }

    /// Damage ends the reading in `body`, and nothing else.
    mutating func keepingWhatIsThere(
        _ body: (inout Self) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try body(&self)
        } catch {
            guard case .damaged = error else { throw error }
            hasMetDamage = true
        }
    }

    /// Replaces the first page by that of a good store. The first page says what the tables are,
    /// and where each of them begins.
    ///
    /// The tables of sessions, files and tasks are in the same places in every store, as they are
    /// made first; a column that an older version did not have is read as its step would have
    /// filled it. Resumable transfers and accounts are found only in stores that had those tables
    /// from the beginning.
    private static func withFirstPage(of example: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
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
}

/// The records of one kind that were salvaged, and those of which only the name is left.
struct Salvaged<ID: Hashable & Comparable, Record> {
    var found: [ID: Record] = [:]
    /// The names that some row still has.
    var named: Set<ID> = []

    /// In the order of their names.
    var records: [Record] { found.sorted { $0.key < $1.key }.map(\.value) }

    var lost: [ID] { named.subtracting(found.keys).sorted() }
}
