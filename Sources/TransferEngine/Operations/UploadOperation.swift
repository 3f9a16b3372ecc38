import Quantities

/// An operation as its manager has it: in memory alone, as nothing of it survives its process (U7).
struct UploadOperation: Hashable, Sendable {
    let id: OperationID
    let account: Account
    let refreshesToken: Bool
    /// One logical transfer, through all retries (S8).
    let key: String
    /// Its resource is the address that is its token, once there is one.
    var transfer: TransferRecord
    var state = OperationState.ongoing
    /// While it is ongoing.
    var lane: Lane?
    var token = Token.unknown
    /// When it leaves its list.
    var listedUntil: Instant?

    /// What is known of the address at which it is to arrive (S12).
    enum Token: Hashable, Sendable {
        case unknown
        /// The server has said so: it is never used again.
        case rejected
        /// Another is asked for, in the place of one that was rejected.
        case refreshing
        /// It came in the place of another, in this attempt.
        case refreshed
    }
}
