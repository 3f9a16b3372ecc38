import Content
import Protocols
import Quantities

/// The state of a connection and of its current request.
///
///     idle ──▶ asking (the store) ──▶ appending ──▶ answering ──▶ idle
///       │        │                └──▶ sending ─────────────────▶ idle
///       │        └──▶ idle (a short answer)
///       ├──▶ gathering (a document) ──▶ asking
///       └──▶ discarding (the body of a request that is answered already) ──▶ idle
///
/// A script of faults can stall an append, and withhold an answer that is ready.
struct Exchange: Sendable {
    let client: ClientAddress
    var reader = HTTPMessageReader<HTTPRequestHead>()
    /// Parts that arrived while an answer was still owed: requests are answered in order.
    var waiting: ArraySlice<HTTPMessageReader<HTTPRequestHead>.Part> = []
    /// An error after these parts, answered in its turn.
    var mistake: HTTPError?
    /// Whether waiting parts are being handled: a request that ends meanwhile leaves the next one
    /// to that loop.
    var isAdvancing = false
    var state = State.idle
    /// The request that is being served.
    var head: HTTPRequestHead?
    var frontEnd: FrontEnd?
    /// The request's account; `nil` if there are no accounts and everybody may do everything.
    var account: ServerUser?
    /// The time of the last byte in or out, or of the last answer.
    var lastProgress: Instant
    /// Whether the request has been received completely.
    var bodyIsOver = true
    /// Whether the client was told to stop sending for a while.
    var isHeld = false

    enum State: Hashable, Sendable {
        case idle
        /// Waiting for the store before the request continues.
        case asking(StoreTicket)
        /// Gathering a body that is read as a whole.
        case gathering(Document, [UInt8])
        case appending(UploadID)
        case discarding
        /// Waiting until the answer's promise is durable.
        case answering(UploadID)
        case sending(Download)
        /// Stalled by the script.
        case stalled(UploadID)
        /// Withheld by the script.
        case withheld(ReadyAnswer)
    }

    var isBlocked: Bool {
        switch state {
        case .answering, .asking, .sending, .stalled, .withheld: true
        case .idle, .gathering, .appending, .discarding: false
        }
    }

    /// Notes bytes from the middle of a body if nothing waits before them; returns their upload.
    mutating func passBody(_ length: ByteCount, at now: Instant) -> UploadID? {
        guard waiting.isEmpty, case .appending(let upload) = state, reader.passBody(length) else {
            return nil
        }
        lastProgress = now
        return upload
    }

    /// The number of waiting bytes that cannot be handled yet.
    var waitingBytes: ByteCount {
        var sum = ByteCount.zero
        for case .body(let segment) in waiting { sum += segment.length }
        return sum
    }
}
