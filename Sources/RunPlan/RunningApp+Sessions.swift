import TransferClient
import TransferEngine

/// Sessions that an app works on before they are enqueued, and the accounts with a name: it has the
/// objects while its process lives, and looks up what was saved after that (A9).
extension RunningApp {
    /// In this process alone, until somebody saves or enqueues it.
    func makeSession(_ number: Int) { madeSessions[number] = newSession(number) }

    /// One that is not enqueued by itself; `nil` if it is gone with the process that has made it.
    func session(_ number: Int) -> TransferSession? {
        if madeSessions[number] == nil {
            let isNew = launch == 1 && script.plan.notEnqueued[number] == .saved
            madeSessions[number] =
                faces.queue.savedSession(SessionID(UInt64(number)))
                ?? (isNew ? newSession(number) : nil)
        }
        return madeSessions[number]
    }

    func newSession(_ number: Int) -> TransferSession {
        let planned = script.sessions[number - 1]
        let account = planned.account.map { self.account(as: $0) } ?? usualAccount
        var isUpload = true
        var paths: [PlannedPath] = []
        switch planned.work {
        case .upload(let path): paths = [path]
        case .download(let path): (paths, isUpload) = ([path], false)
        case .paths: break
        }
        let session = TransferSession(with: account, upload: isUpload)
        session.isPersistent = planned.isPersistent
        session.limits = planned.limits
        session.settings = planned.settings
        for path in paths { session.addPath(path.source, to: path.destination) }
        return session
    }

    /// As it is kept, or as this process has made it.
    func account(named name: String) -> TransferAccount? {
        if accounts[name] == nil {
            let kept = faces.queue.accounts.first { $0.account.name == name }
            accounts[name] = kept.flatMap { faces.queue.account($0.id) }
        }
        return accounts[name]
    }

    private func account(as planned: PlannedAccount) -> TransferAccount {
        if let known = account(named: planned.name) { return known }
        let new = usualAccount
        new.name = planned.name
        new.folder = planned.folder
        accounts[planned.name] = new
        return new
    }

    private var usualAccount: TransferAccount {
        TransferAccount(
            host: script.account.host, port: script.account.port,
            credentials: script.account.credentials, in: faces.queue)
    }
}
