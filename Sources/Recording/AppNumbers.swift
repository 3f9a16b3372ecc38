package import Facts
package import TransferEngine

/// An app's number for the log, and the number of items before its own, which make its names unique
/// in a run.
package struct AppNumbers: Hashable, Sendable {
    /// The app; `nil` is the first one.
    package var name: UInt16?
    /// The numbers of items before this app's. Tasks survive the loss of the app's store, because
    /// the daemon keeps them.
    package var before: ItemCounts
    /// The numbering after each time that the store was set aside.
    private var later: [Later]

    /// The numbering after a damaged store: the engine gives some numbers a second time. Kept items
    /// keep their names; an item with a higher number is new.
    package struct Later: Hashable, Sendable, Codable {
        package var sessionsKept: UInt64
        package var transfersKept: UInt64
        /// The items of all apps that have a name already.
        package var before: ItemCounts

        package init(sessionsKept: UInt64, transfersKept: UInt64, before: ItemCounts) {
            self.sessionsKept = sessionsKept
            self.transfersKept = transfersKept
            self.before = before
        }

        /// - Parameter records: The sessions that are left.
        package init(
            after setAside: StoreSetAside, keeping records: [SessionRecord], before: ItemCounts
        ) {
            let sessions = records.map(\.id.number) + setAside.lost.map(\.number)
            let transfers = records.flatMap(\.transfers).map(\.id.number)
            self.init(
                sessionsKept: sessions.max() ?? 0,
                transfersKept: max(transfers.max() ?? 0, setAside.lastTransfer.number),
                before: before)
        }
    }

    package init(
        name: UInt16? = nil, before: ItemCounts = ItemCounts(), later: [Later] = []
    ) {
        self.name = name
        self.before = before
        self.later = later
    }

    package mutating func goOn(_ later: Later) { self.later.append(later) }

    func session(_ number: UInt64) -> UInt64 {
        guard let later = later.last(where: { $0.sessionsKept < number }) else {
            return before[.queue] + number
        }
        return later.before[.queue] + number - later.sessionsKept
    }

    func name(ofTask number: UInt64) -> ItemName {
        before.name(ItemName(number, of: .background))
    }

    func transfer(_ number: UInt64) -> UInt64 {
        guard let later = later.last(where: { $0.transfersKept < number }) else {
            return before.transfersOfSessions + number
        }
        return later.before.transfersOfSessions + number - later.transfersKept
    }
}
