import Quantities

/// What a lane does, and what it then needs.
extension Lane {
    enum Phase: Hashable, Sendable {
        /// Connecting, or between two transfers.
        case idle
        /// Waiting for the examination of a file.
        case looking(LookPurpose)
        /// Waiting for the store: the next step must not be visible from outside before that.
        case saving(PersistTicket, then: Step)
        case asking(TransferRequest)
        case sending(Append)
        case receiving(Fetch)
        /// Ignoring an answer until its end.
        case skipping
        /// Waiting for a complete download to be moved to its place.
        case placing
        /// Leaving the existing target as it is.
        case keeping
    }

    /// What the lane needs from its owner.
    enum Need: Hashable, Sendable {
        /// The connection is open, and idle.
        case begin
        /// The connection ended.
        case lost(Disconnection)
        /// The server has accepted the introduction.
        case accepted
        /// The server has rejected what says who asks.
        case rejected(CredentialUse)
        /// The record has changed: the lane waits until it is durable.
        case save(then: Step)
        case complete
        case fail(TransferError)
    }

    struct Progress: Hashable, Sendable {
        /// Where the attempt began.
        let from: ByteCount
        let done: ByteCount
        let total: ByteCount
    }
}
