import Protocols
import Quantities

/// What a transfer does next on its wire.
indirect enum Step: Hashable, Sendable {
    case ask(TransferRequest)
    /// Asks with the source's bytes as its body: from this offset to the file's end.
    case send(TransferRequest, from: ByteCount, to: ByteCount)
    /// Keeps what follows of the answer, from this offset of the object on.
    case receive(from: ByteCount, total: ByteCount?)
    /// What follows of the answer is nothing to keep.
    case skip
    /// Has its record made durable first.
    case save(then: Step)
    case complete
    case fail(TransferError)
}

/// How a transfer goes to its server.
enum Wire: Hashable, Sendable {
    case tus
    /// One PUT, all of it or nothing.
    case put
    /// The same to an address that is signed for it, under this key.
    case once(key: String)
    /// A download, by ranges where some of it is there.
    case get
    /// An upload in chunks, Kii's way; and the download of such a body.
    case kii
    case kiiBody

    /// Whether it brings an object here.
    var isDownload: Bool {
        switch self {
        case .get, .kiiBody: true
        case .tus, .put, .once, .kii: false
        }
    }

    /// `source` is the file that is sent or, of a download, what is there of it.
    func begin(_ transfer: inout TransferRecord, source: SourceFingerprint) -> Step {
        switch self {
        case .tus: TusDialogue.begin(&transfer, source: source)
        case .put: PutDialogue.begin(&transfer, source: source)
        case .once(let key): OnceDialogue.begin(&transfer, key: key, source: source)
        case .get: GetDialogue.begin(transfer, held: source.size)
        case .kii: KiiDialogue.begin(&transfer, source: source)
        case .kiiBody: KiiBodyDialogue.begin(&transfer, held: source.size)
        }
    }

    func answered(
        _ head: HTTPResponseHead, _ body: [UInt8] = [], to request: TransferRequest,
        _ transfer: inout TransferRecord, source: SourceFingerprint,
        into outputs: inout [EngineOutput]
    ) throws(HTTPError) -> Step {
        switch self {
        case .tus:
            try TusDialogue.answered(
                head, to: request, &transfer, source: source, into: &outputs)
        case .put: PutDialogue.answered(head, &transfer, into: &outputs)
        case .once(let key):
            if case .once(let request) = request {
                try OnceDialogue.answered(
                    head, to: request, &transfer, key: key, source: source, into: &outputs)
            } else {
                preconditionFailure("a dialogue hears answers to its own requests")
            }
        case .get:
            if case .get(let request) = request {
                GetDialogue.answered(head, to: request, &transfer, into: &outputs)
            } else {
                preconditionFailure("a dialogue hears answers to its own requests")
            }
        case .kii:
            if case .kii(let call) = request {
                try KiiDialogue.answered(head, body, to: call, &transfer, into: &outputs)
            } else {
                preconditionFailure("a dialogue hears answers to its own requests")
            }
        case .kiiBody:
            if case .get(let request) = request {
                KiiBodyDialogue.answered(head, to: request, &transfer, into: &outputs)
            } else {
                preconditionFailure("a dialogue hears answers to its own requests")
            }
        }
    }
}

/// A request of any of the wires.
enum TransferRequest: Hashable, Sendable {
    case tus(TusRequest)
    case put(PutRequest)
    case once(OnceRequest)
    case get(GetRequest)
    case kii(KiiCall)

    func head(host: String) -> HTTPRequestHead {
        switch self {
        case .tus(let request): request.head(host: host)
        case .put(let request): request.head(host: host)
        case .once(let request): request.head(host: host)
        case .get(let request): request.head(host: host)
        case .kii(let call): call.head(host: host)
        }
    }

    /// Whether its answer is a head whose fields tell of a body that does not follow.
    var asksForHeadAlone: Bool {
        switch self {
        case .tus(.offset): true
        case .tus(.create), .tus(.append), .tus(.terminate), .put, .once, .get, .kii: false
        }
    }

    /// What the request is about, by the server's name for it.
    var resource: String {
        switch self {
        case .tus(.create(let collection, _, _)): collection
        case .tus(.offset(let resource)), .tus(.append(let resource, _, _)),
            .tus(.terminate(let resource)):
            resource
        case .put(let request): request.target
        case .once(let request): request.resource
        case .get(let request): request.target
        case .kii(let call): call.resource
        }
    }
}
