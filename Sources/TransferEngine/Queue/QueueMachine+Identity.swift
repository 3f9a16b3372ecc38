import Protocols

/// The credentials of the active session: what happens when the server rejects them, and when there
/// are others.
extension QueueMachine {
    /// Continues with another credential on a new connection, or fails: a token that is rejected
    /// although it is new spends budget, and a password has to come from the app.
    mutating func rejected(_ use: CredentialUse, on place: Int, in turn: inout Turn) {
        guard let current = active, let carrier = current.attempt?[place] else { return }
        let rejections = carrier.lane.rejections
        switch turn.reject(use, of: access(of: sessions[current.id])) {
        case .none: return fail(.authentication, in: &turn)
        case let remedy where !remedy.isWorthATry(after: rejections):
            return fail(.authorisation, in: &turn)
        case .another, .renewal: break
        }
        // What has moved of a file is told again from a lower place only in another attempt (S5).
        if carrier.lane.hasToldProgress {
            stopRunning(in: &turn)
            interrupt(because: "its token was rejected", in: &turn)
            return follows(rejections + 1, on: 0)
        }
        if case .file(let file) = carrier.load {
            let name = sessions[current.id].transfers[file].source
            tell(.didStopFile(name: name), of: current.id, in: &turn)
        }
        renew(place, closing: true, in: &turn)
        follows(rejections + 1, on: place)
    }

    /// Notes on a new connection, if there is one, how many rejections it follows.
    private mutating func follows(_ rejections: Int, on place: Int) {
        active?.attempt?[place].lane.rejections = rejections
    }

    /// Continues the connections that wait for this credential, or fails with the error for which
    /// it is not to be had.
    mutating func credentialChanged(
        _ handle: CredentialHandle, _ error: TransferError?, in turn: inout Turn
    ) {
        guard let current = active, let attempt = current.attempt,
            access(of: sessions[current.id]).credentials == handle
        else { return }
        let waiting = attempt.places.filter { attempt[$0].lane.awaitsIdentity }
        if let error {
            if !waiting.isEmpty { fail(error, in: &turn) }
            return
        }
        update(handle, in: &turn)
        for place in waiting { connected(place, in: &turn) }
    }

    /// Lets the next requests of all connections go by the new version.
    private mutating func update(_ handle: CredentialHandle, in turn: inout Turn) {
        guard let attempt = active?.attempt,
            let identity = turn.process.credentials.identity(by: handle)
        else { return }
        for place in attempt.places where attempt[place].lane.identity.use != nil {
            active?.attempt?[place].lane.identity = identity
        }
    }

    /// Whether a connection waits for this credential, or will when it has opened.
    func waits(for handle: CredentialHandle) -> Bool {
        guard let current = active, let attempt = current.attempt else { return false }
        return access(of: sessions[current.id]).credentials == handle
            && attempt.places.contains { attempt[$0].lane.needsIdentity }
    }
}
