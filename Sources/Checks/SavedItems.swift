import RunLog

/// What an app has saved beside its queue, by what the log says of it: accounts stay as long as a
/// session refers to them, and both are there at the next launch.
struct SavedItems: Sendable {
    private var accounts: Set<AccountName> = []
    /// Saved, and in no queue.
    private var sessions: Set<ItemName> = []
    private var references: [ItemName: AccountName] = [:]
    /// Deleted; whether the store knows it yet nobody has said.
    private var uncertain: Set<ItemName> = []
    /// Asked of the store and not promised: these may be there after a kill, or not.
    private var pending: Set<UInt64> = []
    /// A launch has opened the store, and has not said yet what is there.
    private var isDue = false
    /// What is there then may be otherwise than it was said.
    private var isUnsure = false

    struct Fall: Sendable {
        var expected: String
        var seen: String
    }

    mutating func read(_ event: RunEvent) -> Fall? {
        switch event.fact {
        case .device(.appDataCleared), .store(.setAside): self = SavedItems()
        case .store(.requested(let ticket, _, _)): pending.insert(ticket)
        case .store(.committed(let ticket)): pending = pending.filter { $0 > ticket }
        case .store(.opened):
            isDue = true
            isUnsure = !pending.isEmpty
            pending = []
        case .queue(.saved(.holds(let accounts, let sessions))):
            return found(Set(accounts), Set(sessions))
        case .queue(.saved(let fact)):
            let missing = found()
            return follow(fact) ?? missing
        case .queue(.callback(let session, .row(.removed))): references[session] = nil
        case .queue(.callback(let session, .willActivate)) where sessions.contains(session):
            return Fall(
                expected: "\(session) is saved, and in no queue: nobody runs it",
                seen: "it is activated")
        case .engine(.accepts(let session, _, _)): sessions.remove(session)
        case .queue(.started), .run(.ended): return found()
        default: break
        }
        return nil
    }

    private mutating func follow(_ fact: SavedFact) -> Fall? {
        switch fact {
        case .account(let account, _): accounts.insert(account)
        case .accountDeleted(let account):
            accounts.remove(account)
            // any order: the first is looked for
            let session = references.filter { $0.value == account }.keys.min {
                $0.number < $1.number
            }
            guard let session else { return nil }
            return Fall(
                expected: "\(account) stays, as \(session) refers to it", seen: "it is deleted")
        case .belongs(let session, let account): references[session] = account
        case .session(let session, let account, _):
            sessions.insert(session)
            uncertain.remove(session)
            references[session] = account
        case .sessionDeleted(let session):
            sessions.remove(session)
            uncertain.insert(session)
            references[session] = nil
        case .holds: break
        }
        return nil
    }

    /// What a launch does not say at all is not there.
    private mutating func found(
        _ foundAccounts: Set<AccountName> = [], _ foundSessions: Set<ItemName> = []
    ) -> Fall? {
        guard isDue else { return nil }
        isDue = false
        // any order: they are sorted then
        let lostAccounts = accounts.subtracting(foundAccounts).sorted { $0.number < $1.number }
        let lostSessions = sessions.subtracting(foundSessions).sorted { $0.number < $1.number }
        accounts = foundAccounts
        sessions = foundSessions.subtracting(uncertain)
        let lost = lostAccounts.map(\.description) + lostSessions.map(\.description)
        guard !lost.isEmpty, !isUnsure else { return nil }
        return Fall(
            expected: "what was saved is there when the app is launched again",
            seen: "\(lost.joined(separator: ", ")) is not")
    }
}
