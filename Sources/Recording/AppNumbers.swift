package import Facts
package import TransferEngine

/// Whose events an app's are, and how many items of other apps are counted before its own: names
/// are unique in a run.
package struct AppNumbers: Hashable, Sendable {
    /// `nil` is the first app.
    package var name: UInt16?
    /// A session of a plan has one file, so that its transfers are counted as its sessions are.
    /// Tasks go on when the app's store is lost, as the daemon keeps them.
    package var before: ItemCounts
    /// Since its store was set aside, each time.
    private var later: [Later]

    /// An engine that cannot read all of a store gives numbers a second time. What it has kept has
    /// the names that it had; what has a higher number is new.
    package struct Later: Hashable, Sendable, Codable {
        package var sessionsKept: UInt64
        package var transfersKept: UInt64
        /// Of the sessions, and transfers, of all apps that have their names already.
        package var before: UInt64

        package init(sessionsKept: UInt64, transfersKept: UInt64, before: UInt64) {
            self.sessionsKept = sessionsKept
            self.transfersKept = transfersKept
            self.before = before
        }

        /// `records` are all that is left.
        package init(
            after setAside: StoreSetAside, keeping records: [SessionRecord], before: UInt64
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
        return later.before + number - later.sessionsKept
    }

    func name(ofTask number: UInt64) -> ItemName {
        before.name(ItemName(number, of: .background))
    }

    func transfer(_ number: UInt64) -> UInt64 {
        guard let later = later.last(where: { $0.transfersKept < number }) else {
            return before[.queue] + number
        }
        return later.before + number - later.transfersKept
    }
}
