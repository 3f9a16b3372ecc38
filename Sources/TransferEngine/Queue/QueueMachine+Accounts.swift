/// Accounts of the queue: saved by hand or with the first session that refers to them (A9), and
/// kept while a session does (A10).
extension QueueMachine {
    /// Saves an account unless one with exactly this content exists.
    mutating func save(
        _ account: QueueAccount, in turn: inout Turn
    ) {
        if let refusal = account.refusal { return refuse(refusal, in: &turn) }
        if let id = accounts.id(of: account) {
            return tell(.saved(AccountRecord(id, account)), in: &turn)
        }
        _ = accounts.put(account, in: &turn)
    }

    /// Changes an account. Its sessions use it from their next attempt on; their paths do not move.
    mutating func change(
        _ id: AccountID, to account: QueueAccount, in turn: inout Turn
    ) {
        guard accounts[id] != nil else { return refuse(.noSuchAccount(id), in: &turn) }
        if let refusal = account.refusal { return refuse(refusal, in: &turn) }
        _ = accounts.put(account, as: id, in: &turn)
    }

    mutating func delete(
        _ id: AccountID, in turn: inout Turn
    ) {
        guard accounts[id] != nil else { return refuse(.noSuchAccount(id), in: &turn) }
        let referring = sessionsReferring(to: id)
        if let first = referring.first {
            return refuse(.accountInUse(id, by: first, of: referring.count), in: &turn)
        }
        accounts.remove(id, in: &turn)
    }

    func tell(_ outcome: AccountTable.Outcome, in turn: inout Turn) {
        switch outcome {
        case .saved(let record): turn.tell(.saved(.account(record)))
        case .deleted(let id): turn.tell(.saved(.accountDeleted(id)))
        }
    }

    /// Returns all sessions that refer to an account, in the queue or saved, ordered by number.
    private func sessionsReferring(to account: AccountID) -> [SessionID] {
        let queued = sessions.ids.filter { sessions[$0].accountID == account }
        let others = (saved + entering.map(\.record)).filter { $0.accountID == account }
        return Set(queued + others.map(\.id)).sorted()  // any order: they are sorted
    }

    /// Undoes the explicit account change behind `ticket`; false if there is none to undo.
    mutating func accountNotStored(
        _ ticket: PersistTicket, in turn: inout Turn
    ) -> Bool {
        guard let id = accounts.changing(by: ticket) else { return false }
        let isNeeded = !sessionsReferring(to: id).isEmpty
        guard accounts.takeBack(ticket, isNeeded: isNeeded) else { return false }
        turn.process.store.forget(.account(id))
        return true
    }

    // MARK: The account of a session

    /// Returns the account of a session; `nil` after telling the app that there is none.
    mutating func account(
        _ choice: AccountChoice, in turn: inout Turn
    ) -> AccountRecord? {
        switch choice {
        case .saved(let id):
            guard let account = accounts[id] else {
                refuse(.noSuchAccount(id), in: &turn)
                return nil
            }
            return AccountRecord(id, account)
        // The account is saved first, so that a durable session has one.
        case .like(let account):
            let id =
                accounts.id(of: account)
                ?? accounts.put(account, isByHand: false, in: &turn)
            return AccountRecord(id, account)
        }
    }

    /// Returns the current access data of a session.
    func access(of session: SessionRecord) -> Account {
        session.accountID.flatMap { accounts[$0] }?.access ?? session.account
    }

    /// Returns the place of a remote path that is added to a session now.
    func path(_ remote: String, of session: SessionRecord) -> String {
        session.accountID.flatMap { accounts[$0] }?.path(remote) ?? remote
    }

    /// Gives accounts to sessions without one: sessions from before there were accounts, and
    /// sessions whose account a damaged disk has lost. The session remembers what is needed.
    mutating func withAccounts(
        _ records: [SessionRecord], in turn: inout Turn
    ) -> [SessionRecord] {
        let lacksOne = records.contains { $0.accountID.flatMap { accounts[$0] } == nil }
        guard lacksOne else { return records }
        return records.map { record in
            if let id = record.accountID {
                if accounts[id] == nil {
                    _ = accounts.put(
                        QueueAccount(record.account), as: id, isByHand: false, in: &turn)
                }
                return record
            }
            var record = record
            record.accountID =
                account(.like(QueueAccount(record.account)), in: &turn)?.id
            turn.persist(.put(record))
            return record
        }
    }
}
