import Protocols

/// What a connection is in the middle of.
///
///     idle ──▶ appending ──▶ answering ──▶ idle
///       └────▶ discarding (the body of a refused request) ──▶ idle
struct Exchange: Sendable {
    var reader = HTTPMessageReader<HTTPRequestHead>()
    /// Parts that arrived while an answer was still owed: requests are answered in order.
    var waiting: [HTTPMessageReader<HTTPRequestHead>.Part] = []
    var state = State.idle

    enum State: Hashable, Sendable {
        case idle
        case appending(UploadID)
        case discarding
        /// The store has yet to say that what the answer promises is true.
        case answering(UploadID)
    }

    var isBlocked: Bool { if case .answering = state { true } else { false } }
}
