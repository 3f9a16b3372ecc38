/// The accounts to which the sessions of a queue refer.
///
/// A change takes effect at once, so that the next command can refer to it. A change that the store
/// refuses is undone, unless it created an account that a session needs.
struct AccountTable: Hashable, Sendable {
    /// All accounts, ordered by number.
    private(set) var records: [AccountRecord]
    /// Changes that the store has not answered.
    private var changes: [Change] = []
    private var last: AccountID

    private struct Change: Hashable, Sendable {
        let ticket: PersistTicket
        let id: AccountID
        let before: QueueAccount?
        let after: QueueAccount?
        /// Whether the app asked for the change, rather than a session that needs it.
        let isByHand: Bool
    }

    /// The result of a change.
    enum Outcome: Hashable, Sendable {
        case saved(AccountRecord)
        case deleted(AccountID)
    }

    init(_ records: [AccountRecord] = []) {
        self.records = records.sorted { $0.id < $1.id }
        last = self.records.last?.id ?? AccountID(0)
    }

    subscript(id: AccountID) -> QueueAccount? {
        records.first { $0.id == id }?.account
    }

    /// Returns the first account with exactly this content.
    func id(of account: QueueAccount) -> AccountID? {
        records.first { $0.account == account }?.id
    }

    /// Skips the numbers of accounts that were lost with a store.
    mutating func skip(_ lost: [AccountID]) { last = max(last, lost.max() ?? last) }

    // MARK: Changes

    /// Saves an account; without `id`, a new one with the next number.
    mutating func put(
        _ account: QueueAccount, as id: AccountID? = nil, isByHand: Bool = true,
        in turn: inout Turn
    ) -> AccountID {
        let id = id ?? AccountID(last.number + 1)
        last = max(last, id)
        let ticket = turn.persist(.putAccount(AccountRecord(id, account)))
        changes.append(
            Change(
                ticket: ticket, id: id, before: self[id], after: account, isByHand: isByHand))
        replace(id, with: account)
        return id
    }

    mutating func remove(
        _ id: AccountID, in turn: inout Turn
    ) {
        let ticket = turn.persist(.removeAccount(id))
        changes.append(
            Change(ticket: ticket, id: id, before: self[id], after: nil, isByHand: true))
        replace(id, with: nil)
    }

    /// Ends the change behind `ticket`; `nil` if the ticket belongs to something else.
    mutating func persisted(_ ticket: PersistTicket) -> Outcome? {
        guard let place = changes.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        let change = changes.remove(at: place)
        return change.after.map { .saved(AccountRecord(change.id, $0)) } ?? .deleted(change.id)
    }

    /// Returns the account that is changed under `ticket`.
    func changing(by ticket: PersistTicket) -> AccountID? {
        changes.first { $0.ticket == ticket }?.id
    }

    /// Undoes the explicit account change behind `ticket`; false if there is none to undo. A new
    /// account that a session needs is not undone: the store is asked again.
    mutating func takeBack(_ ticket: PersistTicket, isNeeded: Bool) -> Bool {
        guard let place = changes.firstIndex(where: { $0.ticket == ticket }) else { return false }
        let change = changes[place]
        guard change.isByHand, change.before != nil || !isNeeded else { return false }
        changes.remove(at: place)
        if let later = changes.firstIndex(where: { $0.id == change.id }) {
            let next = changes[later]
            changes[later] = Change(
                ticket: next.ticket, id: next.id, before: change.before, after: next.after,
                isByHand: next.isByHand)
        } else {
            replace(change.id, with: change.before)
        }
        return true
    }

    private mutating func replace(_ id: AccountID, with account: QueueAccount?) {
        records.removeAll { $0.id == id }
        guard let account else { return }
        let place = records.firstIndex { id < $0.id } ?? records.endIndex
        records.insert(AccountRecord(id, account), at: place)
    }
}
