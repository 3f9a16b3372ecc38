import TransferEngine

/// The statements that begin and end each change of a store, and keep the sum of all marks.
struct Commits {
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let select: SQLiteStatement
    private let put: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        begin = try connection.prepare("BEGIN IMMEDIATE")
        end = try connection.prepare("COMMIT")
        select = try connection.prepare("SELECT marks FROM content")
        put = try connection.prepare("UPDATE content SET marks = ?1")
    }

    /// Carries out a change whole or, if it throws, not at all; returns the new sum of all marks.
    func carryOut(
        on connection: borrowing SQLiteConnection,
        _ change: (inout StoreContentDigest) throws(StoreError) -> Void
    ) throws(StoreError) -> StoreContentDigest {
        do throws(StoreError) {
            try begin.run()
            // Read again each time: after a commit that failed only the rows know which side it
            // fell on.
            var content = try content()
            try change(&content)
            try write(content)
            try commit()
            return content
        } catch {
            connection.rollBack()
            throw error
        }
    }

    func commit() throws(StoreError) { try end.run() }

    func write(_ content: StoreContentDigest) throws(StoreError) {
        try put.bind(Int64(bitPattern: content.value), to: 1)
        try put.run()
    }

    /// The sum of all marks when it was last written.
    func content() throws(StoreError) -> StoreContentDigest {
        defer { select.reset() }
        var content = StoreContentDigest()
        if try select.step() {
            content.replace(mark: nil, with: UInt64(bitPattern: select.number(0)))
        }
        return content
    }
}
