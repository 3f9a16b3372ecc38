import RunLog

/// Accounts and sessions that an app has saved outside its queue, according to the log. Accounts
/// stay as long as a session refers to them, and both are there at the next launch.
struct SavedItems: Sendable {
    private var accounts: Set<AccountName> = []
    /// Sessions saved outside the queue.
    private var sessions: Set<ItemName> = []
    private var references: [ItemName: AccountName] = [:]
    /// Sessions whose deletion the store has not confirmed.
    private var uncertain: Set<ItemName> = []
    /// Unconfirmed changes, which may or may not survive a kill.
    private var pending: Set<UInt64> = []
    /// Whether a launch has opened the store and has not yet reported its content.
    private var isDue = false
    /// Whether the store's content may differ from the report.
    private var isUnsure = false
    private(set) var evidence = Evidence<Clause>()

    mutating func read(_ event: RunEvent) -> Slip? {
        switch event.fact {
        case .device(.appDataCleared), .store(.setAside):
            let met = evidence
            self = SavedItems()
            evidence = met
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
            return Slip(
                expected: "\(session) is only saved, so it does not run",
                seen: "it is activated")
        case .engine(.accepts(let session, _, _)): sessions.remove(session)
        case .queue(.started):
            evidence.decides(.notRun, if: !sessions.isEmpty)
            return found()
        case .run(.ended): return found()
        case .queue(.denied(let reason)):
            let isOfAccount = reason.hasPrefix("account ")
            evidence.decides(.accountStays, if: isOfAccount && !references.isEmpty)
        default: break
        }
        return nil
    }

    private mutating func follow(_ fact: SavedFact) -> Slip? {
        switch fact {
        case .account(let account, _): accounts.insert(account)
        case .accountDeleted(let account):
            accounts.remove(account)
            // any order: the first is looked for
            let session = references.filter { $0.value == account }.keys.min {
                $0.number < $1.number
            }
            guard let session else { return nil }
            return Slip(
                expected: "\(account) stays, because \(session) refers to it", seen: "it is deleted"
            )
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

    /// Compares the report of a launch with the saved items; unreported items are lost.
    private mutating func found(
        _ foundAccounts: Set<AccountName> = [], _ foundSessions: Set<ItemName> = []
    ) -> Slip? {
        guard isDue else { return nil }
        isDue = false
        evidence.decides(.survive, if: !(accounts.isEmpty && sessions.isEmpty) && !isUnsure)
        // any order: they are sorted then
        let lost =
            accounts.subtracting(foundAccounts).sorted { $0.number < $1.number }
            .map(\.description)
            + sessions.subtracting(foundSessions).sorted { $0.number < $1.number }
            .map(\.description)
        accounts = foundAccounts
        sessions = foundSessions.subtracting(uncertain)
        guard !lost.isEmpty, !isUnsure else { return nil }
        return Slip(
            expected: "saved items are there when the app is launched again",
            seen: "missing: \(lost.joined(separator: ", "))")
    }
}

extension SavedItems {
    enum Clause: String, ClauseName {
        /// Decided by each launch after accounts or sessions were saved.
        case survive = "saved items survive"
        /// Decided by each start of a queue beside saved sessions.
        case notRun = "saved is not run"
        /// Decided by a request to delete an account that was refused while sessions refer to one.
        case accountStays = "account stays"

        var sentence: String {
            switch self {
            case .survive: "saved accounts and sessions are there at the next launch"
            case .notRun: "a session that is only saved does not run"
            case .accountStays: "an account stays while a session refers to it"
            }
        }
    }
}
