import Protocols
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
        /// Waiting for the stream of the paced transport that is to carry the transfers.
        case opening(ConnectionID, session: UInt64)
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
        /// The server has answered a request about the connection.
        case told(Told)
        /// The server has rejected what says who asks.
        case rejected(CredentialUse)
        /// The record has changed: the lane waits until it is durable.
        case save(then: Step)
        case complete
        case fail(TransferError)
    }

    /// What the server says of a connection.
    enum Told: Hashable, Sendable {
        /// It accepts the introduction.
        case accepted
        /// It has opened a session of the paced transport, or does not offer it.
        case granted(PacedGrant)
        case notOffered
        /// Whether anything of the session has arrived; `nil` if it does not know.
        case heard(Bool?)
    }

    struct Progress: Hashable, Sendable {
        /// Where the attempt began.
        let from: ByteCount
        let done: ByteCount
        let total: ByteCount
    }
}
