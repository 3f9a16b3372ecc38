import Quantities

/// An operation of the manager. It is in memory only, as nothing of it survives its process (U7).
struct UploadOperation: Hashable, Sendable {
    let id: OperationID
    let account: Account
    let refreshesToken: Bool
    /// The key of the logical transfer, the same through all retries of the same source (S8).
    var key: OnceKey
    /// The transfer. Its resource is the signed address, once there is one.
    var transfer: TransferRecord
    var state = OperationState.ongoing
    /// The lane of an ongoing operation.
    var lane: Lane?
    var token = Token.unknown
    /// When the operation leaves its list.
    var listedUntil: Instant?

    /// What is known of the signed address, which is the token (S12).
    enum Token: Hashable, Sendable {
        case unknown
        /// The server has rejected the token; it is never used again.
        case rejected
        /// Another token was requested, to replace a rejected one.
        case refreshing
        /// The token replaced another one in this attempt.
        case refreshed
    }
}
