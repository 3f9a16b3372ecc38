import RunLog
import TransferEngine

/// What an engine says of accounts and of sessions that are saved by hand, as events of the log.
extension EngineRecorder {
    /// What becomes of a session of the queue shows in its own events.
    func fact(of news: SavedNews) -> RunEvent.Fact? {
        switch news {
        case .holds(let accounts, let sessions):
            .queue(
                .saved(
                    .holds(
                        accounts: accounts.map { AccountName($0.id) },
                        sessions: sessions.map { name($0.id) })))
        case .account(let record):
            .queue(.saved(.account(AccountName(record.id), SavedAccount(record.account))))
        case .accountDeleted(let account): .queue(.saved(.accountDeleted(AccountName(account))))
        case .session(let record, _):
            record.accountID.map { account in
                .queue(
                    .saved(
                        .session(
                            name(record.id), of: AccountName(account),
                            record.transfers.map {
                                acceptance(of: $0, isDownload: record.isDownload)
                            })))
            }
        case .sessionDeleted(let session): .queue(.saved(.sessionDeleted(name(session))))
        case .enqueued: nil
        }
    }
}

extension AccountName {
    init(_ account: AccountID) { self.init(account.number) }
}

extension SavedAccount {
    fileprivate init(_ account: QueueAccount) {
        self.init(
            name: account.name, credentials: account.access.credentials.name,
            folder: account.folder)
    }
}
