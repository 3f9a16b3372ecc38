/// A damaged store makes room for a new one, into which goes all of it that is whole.
///
///     damaged at its place
///       ──▶ the same, and a successor that is whole beside it
///       ──▶ nothing at its place, the damaged one under another name
///       ──▶ the successor at its place
///
/// A process that dies at the first arrow has done nothing: the next launch begins again. From the
/// second on the next launch goes on where this one stopped. Nothing is ever deleted but a
/// successor that was not finished. The successor holds the report until it has been heard.
enum SettingAside {
    /// `makeSuccessor` is given the name of what is set aside, and makes and closes the successor.
    static func begin(
        _ files: StoreFiles, makeSuccessor: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        let number = try freeNumber(among: files)
        // Of a launch that was cut off.
        try files.remove(.successor)
        try files.remove(.journal(of: .successor))
        try makeSuccessor(files.name(of: .damaged(number)))
        // It would be taken for the journal of whatever has the name next.
        try files.remove(.journal(of: .successor))
        try files.syncNames()
        try files.rename(.store, to: .damaged(number))
        try exchange(files, number)
    }

    /// Where an earlier launch has left off after the second arrow.
    static func finish(_ files: StoreFiles) throws(StoreError) {
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
}

/// A store that is set aside when it is damaged, and replaced by a new one.
protocol RenewableStore: ~Copyable {
    associatedtype Record

    /// Opens the file as it is; gives the records it holds.
    init(asItIs files: StoreFiles, _ records: inout [Record]) throws(StoreError)

    static func setAside(_ files: StoreFiles, because reason: String) throws(StoreError)
}

extension RenewableStore where Self: ~Copyable {
    static func whole(
        _ files: StoreFiles, _ records: inout [Record]
    ) throws(StoreError) -> Self {
        try SettingAside.finish(files)
        do throws(StoreError) {
            return try Self(asItIs: files, &records)
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            try setAside(files, because: reason)
            return try Self(asItIs: files, &records)
        }
    }
}
