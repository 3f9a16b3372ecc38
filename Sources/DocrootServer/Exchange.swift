import Content
import Protocols
import Quantities

/// What a connection is in the middle of.
///
///     idle ──▶ asking (the store) ──▶ appending ──▶ answering ──▶ idle
///       │        │                └──▶ sending ─────────────────▶ idle
///       │        └──▶ idle (a short answer)
///       ├──▶ gathering (a document) ──▶ asking
///       └──▶ discarding (the body of a request that is answered already) ──▶ idle
///
/// By a script of faults, what is appending is stalled for a while and goes on, and an answer that
/// is ready is withheld.
struct Exchange: Sendable {
    let client: ClientAddress
    var reader = HTTPMessageReader<HTTPRequestHead>()
    /// Parts that arrived while an answer was still owed: requests are answered in order.
    var waiting: ArraySlice<HTTPMessageReader<HTTPRequestHead>.Part> = []
    /// What came behind them is no HTTP, and is answered when its turn comes.
    var mistake: HTTPError?
    /// What waits is being looked at: whoever ends a request meanwhile leaves the next to that.
    var isAdvancing = false
    var state = State.idle
    /// The request that is being served.
    var head: HTTPRequestHead?
    var frontEnd: FrontEnd?
    /// Whose request it is; `nil` where everybody may do everything.
    var account: Account?
    /// When something was heard last, or could be said, or was finished.
    var lastProgress = Instant.start
    /// Nothing more of that request will come.
    var bodyIsOver = true
    /// The client was told to stop sending for a while.
    var isHeld = false

    init(client: ClientAddress) { self.client = client }

    enum State: Hashable, Sendable {
        case idle
        /// The store has yet to say what is to be known before the request goes on.
        case asking(StoreTicket)
        /// The body is a document, which is read as a whole.
        case gathering(Document, [UInt8])
        case appending(UploadID)
        case discarding
        /// The store has yet to say that what the answer promises is true.
        case answering(UploadID)
        case sending(Download)
        /// Nothing more is taken for now, because the script says so.
        case stalled(UploadID)
        /// What is to be said waits, because the script says so.
        case withheld(ReadyAnswer)
    }

    var isBlocked: Bool {
        switch state {
        case .answering, .asking, .sending, .stalled, .withheld: true
        case .idle, .gathering, .appending, .discarding: false
        }
    }

    /// Takes note of bytes from the middle of a body, if nothing waits before them; whose they are.
    mutating func passBody(_ length: ByteCount, at now: Instant) -> UploadID? {
        guard waiting.isEmpty, case .appending(let upload) = state, reader.passBody(length) else {
            return nil
        }
        lastProgress = now
        return upload
    }

    /// How much has gathered that cannot be looked at yet.
    var waitingBytes: ByteCount {
        var sum = ByteCount.zero
        for case .body(let segment) in waiting { sum += segment.length }
        return sum
    }
}
