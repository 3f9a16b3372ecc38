import Quantities

extension Lane {
    /// A request whose body is being sent.
    struct Append: Hashable, Sendable {
        var request: TransferRequest
        /// The offset in the file at which the body began.
        var from: ByteCount
        /// The end of the file.
        var end: ByteCount
        /// How far the file has been handed to the connection.
        var handedOver: ByteCount
        /// Where in the connection's stream the body began.
        var bodyAt: ByteCount
        /// The progress that the app was last told.
        var reported: ByteCount
    }

    /// Whether no body is on its way: after a refusal, another transfer may begin here. A refused
    /// body may have been broken off.
    var isBetweenBodies: Bool {
        if case .sending = phase { return false }
        return isAnswered
    }
}
