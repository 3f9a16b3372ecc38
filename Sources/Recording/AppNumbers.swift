import Facts
package import TransferEngine

/// Whose events an app's are, and how many sessions, transfers, tasks and operations of other apps
/// are counted before its own: names are unique in a run.
package struct AppNumbers: Hashable, Sendable {
    /// `nil` is the first app.
    package var name: UInt16?
    private let sessionsBefore: UInt64
    private let transfersBefore: UInt64
    /// What the daemon keeps is not lost with an app's store.
    package var tasksBefore: UInt64
    package var operationsBefore: UInt64
    package var entriesBefore: UInt64
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
        name: UInt16? = nil, sessionsBefore: UInt64 = 0, transfersBefore: UInt64 = 0,
        tasksBefore: UInt64 = 0, operationsBefore: UInt64 = 0,
        entriesBefore: UInt64 = 0, later: [Later] = []
    ) {
        self.name = name
        self.sessionsBefore = sessionsBefore
        self.transfersBefore = transfersBefore
        self.tasksBefore = tasksBefore
        self.operationsBefore = operationsBefore
        self.entriesBefore = entriesBefore
        self.later = later
    }

    package mutating func goOn(_ later: Later) { self.later.append(later) }

    func session(_ number: UInt64) -> UInt64 {
        guard let later = later.last(where: { $0.sessionsKept < number }) else {
            return sessionsBefore + number
        }
        return later.before + number - later.sessionsKept
    }

    func name(ofTask number: UInt64) -> ItemName {
        ItemName(tasksBefore + number, of: .background)
    }

    func operation(_ number: UInt64) -> UInt64 { operationsBefore + number }

    func entry(_ number: UInt64) -> UInt64 { entriesBefore + number }

    func transfer(_ number: UInt64) -> UInt64 {
        guard let later = later.last(where: { $0.transfersKept < number }) else {
            return transfersBefore + number
        }
        return later.before + number - later.transfersKept
    }
}
