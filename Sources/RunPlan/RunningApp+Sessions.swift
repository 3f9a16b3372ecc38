import TransferClient
import TransferEngine

/// Sessions before they are enqueued, and accounts with a name. Their objects live as long as the
/// process; later processes look up what was saved (A9).
extension RunningApp {
    /// Makes a session that is lost with this process unless it is saved or enqueued.
    func makeSession(_ number: Int) { madeSessions[number] = newSession(number) }

    /// Returns a session that is not enqueued; `nil` if it was lost with an earlier process.
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
        let session = TransferSession(with: account, upload: !planned.isDownload)
        session.isPersistent = planned.isPersistent
        session.limits = planned.limits
        session.settings = planned.settings
        for path in planned.isPersistent ? [] : planned.paths {
            session.addPath(path.source, to: path.destination)
        }
        return session
    }

    /// Returns the account that this process has made, or the saved one.
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
        if let port = planned.port { new.port = script.server.port(planned: port) }
        if planned.secret != nil { new.credentials = CredentialHandle(planned.name) }
        new.name = planned.name
        new.folder = planned.folder
        accounts[planned.name] = new
        return new
    }

    private var usualAccount: TransferAccount {
        TransferAccount(
            host: script.account.host, port: script.account.port,
            usesTLS: script.account.usesTLS, credentials: script.account.credentials,
            in: faces.queue)
    }

    // MARK: Signing in

    /// Gives the secrets of the plan. Later processes find them in the keychain.
    func signIn() {
        if let secret = script.plan.signIn { faces.keep(secret, as: script.account.credentials) }
        for account in script.plan.accounts {
            if let secret = account.secret {
                faces.keep(secret, as: CredentialHandle(account.name))
            }
        }
    }

    func signIn(to name: String?, with password: String) {
        let secret =
            name == nil
            ? script.plan.signIn : script.plan.accounts.first { $0.name == name }?.secret
        guard let secret else { return }
        let handle = name.map { CredentialHandle($0) } ?? script.account.credentials
        faces.keep(secret.with(password: password), as: handle)
    }
}
