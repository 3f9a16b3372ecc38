import Protocols

/// The credentials of operations: what happens when the server rejects them, and when there are
/// others. The signed address of an upload needs none.
extension OperationMachine {
    /// Continues with another credential on a new connection, or fails.
    mutating func rejected(
        _ use: CredentialUse, on lane: Lane, of index: Int, in turn: inout Turn
    ) {
        let remedy = turn.reject(use, of: operations[index].account)
        guard remedy.isWorthATry(after: lane.rejections) else {
            let error = OperationError.answered(status: lane.lastStatus)
            return fail(index, error, by: .error, in: &turn)
        }
        close(index, in: &turn)
        connect(index, in: &turn)
        operations[index].lane?.rejections = lane.rejections + 1
    }

    /// Continues the operations that wait for this credential, or fails them with the error for
    /// which it is not to be had.
    mutating func credentialChanged(
        _ handle: CredentialHandle, _ error: TransferError?, in turn: inout Turn
    ) {
        for index in operations.indices where operations[index].account.credentials == handle {
            guard let lane = operations[index].lane else { continue }
            if let error {
                guard lane.awaitsIdentity else { continue }
                fail(index, .transport(TaskError(error)), by: .error, in: &turn)
            } else if lane.awaitsIdentity {
                begin(lane, of: index, in: &turn)
            } else if lane.identity.use != nil,
                let identity = turn.process.credentials.identity(by: handle)
            {
                operations[index].lane?.identity = identity
            }
        }
    }

    /// Whether a connection waits for this credential, or will when it has opened.
    func waits(for handle: CredentialHandle) -> Bool {
        operations.contains {
            $0.account.credentials == handle && $0.lane?.needsIdentity == true
        }
    }
}
