import Protocols
import Quantities

/// Who asks, for all interfaces of a process: the credentials that they share.
extension ProcessTurn<ProcessState> {
    /// Returns how a request to this account says who sends it; `nil` if only the app can help. A
    /// token that is missing is requested.
    mutating func identity(of account: Account) -> Identity? {
        let identity = process.credentials.identity(by: account.credentials)
        if identity == .awaited { renew(account) }
        return identity
    }

    /// Notes that the server has rejected a credential of this account, and requests a new token if
    /// that can help.
    mutating func reject(_ use: CredentialUse, of account: Account) -> CredentialKeeper.Remedy {
        let remedy = process.credentials.reject(use)
        if let version = use.version, version > 0 {
            note(.engine(.credential(use.handle.name, .rejected(version: version))))
            wanted.append(.forget(use, sentOn: nil))
        }
        if remedy == .renewal { renew(account) }
        return remedy
    }

    private mutating func renew(_ account: Account) {
        let handle = account.credentials
        guard process.credentials.lacksRenewal(handle),
            NetworkLimits().obstacle(in: process.network) == nil
        else { return }
        let connection = process.connections.next()
        process.credentials.begin(
            CredentialKeeper.Renewal(
                connection: connection, host: account.hostInRequests,
                deadline: now + CredentialKeeper.patience),
            of: handle)
        note(.engine(.credential(handle.name, .renewing)))
        wanted.append(.connect(connection, to: account, by: nil))
        wanted.append(.readToken(connection, handle))
    }

    /// Handles an event of a renewal's connection; returns the credential that cannot be renewed
    /// because of it.
    mutating func take(
        _ event: AttemptInput, renewing handle: CredentialHandle
    ) -> CredentialHandle? {
        guard let renewal = process.credentials.renewal(of: handle) else { return nil }
        switch event {
        case .connected:
            guard let (request, use) = process.credentials.request(for: handle) else { return nil }
            let head = request.head(host: renewal.host)
            wanted.note(.request(head, on: renewal.connection))
            wanted.append(
                .write(renewal.connection, head.pieces(by: use) + [.bytes(TokenRequest.body)]))
            return nil
        case .disconnected: return handle
        case .inspected, .examined, .kept, .placed, .received, .taken, .unreadable: return nil
        }
    }

    /// Takes the host's word on a credential. Returns the error of those who wait for it, if it is
    /// not to be had.
    mutating func take(_ news: CredentialNews, on handle: CredentialHandle) -> TransferError? {
        switch news {
        case .known(let state):
            // A renewal that is under way goes by an earlier secret.
            abandonRenewal(of: handle)
            process.credentials.know(handle, state)
            note(.engine(.credential(handle.name, .known(version: state.version))))
            return nil
        case .renewed(let state, let status):
            endRenewal(of: handle, status)
            process.credentials.know(handle, state)
            note(.engine(.credential(handle.name, .renewed(version: state.version))))
            return nil
        case .notRenewed(let status):
            endRenewal(of: handle, status)
            return notRenewed(handle, status)
        }
    }

    /// Notes that a credential could not be renewed; returns the error of those who wait for it.
    mutating func notRenewed(_ handle: CredentialHandle, _ status: Int?) -> TransferError {
        let isFinal = status.map { $0 == 400 || $0 == 401 || $0 == 403 } ?? false
        if isFinal { process.credentials.bar(handle) }
        note(.engine(.credential(handle.name, .notRenewed)))
        return isFinal ? .unauthorised : .authorisation
    }

    /// Gives up a renewal that takes too long, or that nobody waits for.
    mutating func abandonRenewal(of handle: CredentialHandle) {
        guard let renewal = process.credentials.endRenewal(of: handle) else { return }
        abort(renewal.connection)
        note(.engine(.credential(handle.name, .notRenewed)))
    }

    private mutating func endRenewal(of handle: CredentialHandle, _ status: Int) {
        guard let renewal = process.credentials.endRenewal(of: handle) else { return }
        note(.connection(.response(renewal.connection.name, status: status)))
        close(renewal.connection)
    }
}
