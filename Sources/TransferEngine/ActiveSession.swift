import Content
import Protocols
import Quantities

/// The session whose turn it is: where its attempt stands.
///
///     connecting ──▶ inspecting ──▶ saving ──▶ asking ──▶ saving ──▶ sending ──▶ inspecting …
///          │              └───────────────────▶ asking (how much is there?) ──┘      │
///          ▼                                                                         ▼
///       pausing ◀── an error that may be tried again                              settling
///          │
///          └──▶ waitingForNetwork ◀── its network is gone, from wherever it was ──▶ connecting
struct ActiveSession: Hashable, Sendable {
    let id: SessionID
    /// Where its record stands in the queue.
    let index: Int
    var phase: Phase
    var connection: Connection?
    /// The transfer whose file span is open, by its place in the session.
    var openFile: Int?
    /// What that transfer's source is now.
    var source: SourceFingerprint?
    /// The server asked to be left alone for so long, in its last answer.
    var askedToWait = TimeSpan.zero

    enum Phase: Hashable, Sendable {
        case connecting
        /// Waiting to hear what the source is now.
        case inspecting
        /// Waiting for the store's promise; only then may the next step be seen from outside.
        case saving(PersistTicket, next: NextStep)
        case asking(TusRequest)
        case sending(Append)
        /// An error is being slept off.
        case pausing(until: Instant)
        /// There is no network, or none that it may use.
        case waitingForNetwork
        /// The end is decided and must be durable before the app hears of it.
        case settling(PersistTicket, SessionResult)
    }

    enum NextStep: Hashable, Sendable {
        case create
        case append
        /// How much the server has of an upload whose place was not kept when it was told.
        case offset
    }

    /// A PATCH on its way.
    struct Append: Hashable, Sendable {
        var request: TusRequest
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

    struct Connection: Hashable, Sendable {
        let id: ConnectionID
        var isEstablished = false
        /// The interface that it is on, as far as the engine was told.
        let interface: UInt16?
        let isCellular: Bool
        /// Stream bytes handed over so far, and those of them the transport has taken.
        var written = ByteCount.zero
        var taken = ByteCount.zero
        var lastActivity: Instant
        var reader = ResponseReader()
    }
}

/// Takes answers from the stream of a connection, one per request.
struct ResponseReader: Hashable, Sendable {
    private var messages = HTTPMessageReader<HTTPResponseHead>()
    private var head: HTTPResponseHead?

    /// The heads of the answers that these segments complete.
    mutating func read(
        _ segments: [Segment], answering request: TusRequest?
    ) throws(HTTPError) -> [HTTPResponseHead] {
        var isHead = false
        if case .offset = request { isHead = true }
        let parts = try messages.read(segments) { isHead || $0.status == 204 }
        var heads: [HTTPResponseHead] = []
        for part in parts {
            switch part {
            case .head(let next): head = next
            case .body: break
            case .end:
                if let head { heads.append(head) }
                head = nil
            }
        }
        return heads
    }
}
