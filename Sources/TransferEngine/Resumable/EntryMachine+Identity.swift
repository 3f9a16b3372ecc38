import Protocols

/// The credentials of resumable transfers: what happens when the server rejects them, and when
/// there are others.
extension EntryMachine {
    /// Continues with another credential on a new connection, or fails.
    mutating func rejected(
        _ use: CredentialUse, on lane: Lane, of index: Int, in turn: inout Turn
    ) {
        let remedy = turn.reject(use, of: entries[index].record.account)
        guard remedy.isWorthATry(after: lane.rejections) else {
            return fail(index, .answered(status: lane.lastStatus), in: &turn)
        }
        guard !entries[index].isToSuspend else {
            return rest(index, .kii(.suspended), by: .suspend, in: &turn)
        }
        close(index, in: &turn)
        connect(index, in: &turn)
        if case .running(var next) = entries[index].phase {
            next.rejections = lane.rejections + 1
            entries[index].phase = .running(next)
        }
    }

    /// Continues the transfers that wait for this credential, or fails them with the error for
    /// which it is not to be had.
    mutating func credentialChanged(
        _ handle: CredentialHandle, _ error: TransferError?, in turn: inout Turn
    ) {
        for index in entries.indices.reversed()
        where entries[index].record.account.credentials == handle {
            guard case .running(var lane) = entries[index].phase else { continue }
            if let error {
                guard lane.awaitsIdentity else { continue }
                fail(index, ResumableError(error), in: &turn)
            } else if lane.awaitsIdentity {
                begin(index, lane, in: &turn)
            } else if lane.identity.use != nil,
                let identity = turn.process.credentials.identity(by: handle)
            {
                lane.identity = identity
                entries[index].phase = .running(lane)
            }
        }
    }

    /// Whether a connection waits for this credential, or will when it has opened.
    func waits(for handle: CredentialHandle) -> Bool {
        entries.contains {
            $0.record.account.credentials == handle && $0.lane?.needsIdentity == true
        }
    }
}
