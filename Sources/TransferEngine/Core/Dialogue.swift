import Protocols
import Quantities

/// The next step of a transfer's dialogue with its server.
indirect enum Step: Hashable, Sendable {
    case ask(TransferRequest)
    /// Sends the source from this offset to the file's end as the request's body.
    case send(TransferRequest, from: ByteCount, to: ByteCount)
    /// Keeps the rest of the answer, from this offset of the object on.
    case receive(from: ByteCount, total: ByteCount?)
    /// Ignores the rest of the answer.
    case skip
    /// Makes the transfer's record durable first.
    case save(then: Step)
    /// Examines a file of the app, and continues with the result.
    case look(at: String, SourceCoverage?, for: LookPurpose)
    case complete
    /// Leaves the existing target as it is.
    case keepTarget(TargetKept)
    case fail(TransferError)
}

/// Why a file is examined before a transfer goes on.
enum LookPurpose: Hashable, Sendable {
    /// To learn what the source is, or how much of a download has arrived.
    case source
    /// To learn whether a download's target exists.
    case target
    /// To learn whether the file has the same content as this object.
    case comparison(ObjectState)
}

/// The protocol by which a transfer talks to its server.
enum Wire: Hashable, Sendable {
    /// A tus upload, with the settings of its session.
    case tus(TransferSettings)
    /// One PUT, all or nothing.
    case put(RequestExtras)
    /// A resumable upload of a background task.
    case resumable(ResumableDialogue.Way)
    /// One PUT to an address that was signed for it, under a key.
    case once(key: OnceKey)
    /// A download, by ranges if part of it is here.
    case get(TransferSettings)
    /// A download of a background task: the file is what the server answers.
    case fetch(RequestExtras)
    /// An upload in chunks, in Kii's way; and the download of such a body.
    case kii
    case kiiBody

    /// Whether an object is transferred to the device.
    var isDownload: Bool {
        switch self {
        case .get, .fetch, .kiiBody: true
        case .tus, .put, .resumable, .once, .kii: false
        }
    }

    /// How much of a source is read to recognise it later.
    var coverage: SourceCoverage? {
        switch self {
        case .tus(let settings): settings.resume.coverage
        case .get, .fetch, .put, .resumable, .once, .kii, .kiiBody: nil
        }
    }

    /// The first step: the file to examine.
    func firstLook(for transfer: TransferRecord) -> Step {
        switch self {
        case .get(let settings): GetDialogue.firstLook(for: transfer, settings)
        case .fetch, .kiiBody: .look(at: transfer.landing, nil, for: .source)
        case .tus, .put, .resumable, .once, .kii:
            .look(at: transfer.source, nil, for: .source)
        }
    }

    /// Begins the dialogue. `source` is the file to send or, for a download, the part of it that is
    /// here.
    func begin(
        _ transfer: inout TransferRecord, source: Source, into wanted: inout [AttemptOutput]
    ) -> Step {
        switch self {
        case .tus(let settings): TusDialogue.begin(&transfer, source, settings)
        case .put(let extras):
            PutDialogue.begin(&transfer, source: source.fingerprint, extras)
        case .resumable(let way):
            ResumableDialogue.begin(&transfer, way, source: source.fingerprint)
        case .once(let key):
            OnceDialogue.begin(&transfer, key: key, source: source.fingerprint)
        case .get(let settings):
            GetDialogue.begin(
                transfer, held: source.fingerprint.size, settings, into: &wanted)
        case .fetch(let extras):
            FetchDialogue.begin(transfer, held: source.fingerprint.size, extras)
        case .kii: KiiDialogue.begin(&transfer, source: source.fingerprint)
        case .kiiBody: KiiBodyDialogue.begin(&transfer, held: source.fingerprint.size)
        }
    }

    /// Continues after `file` was compared with `object`.
    func compared(
        _ file: Source, with object: ObjectState, _ transfer: inout TransferRecord,
        source: Source
    ) -> Step {
        switch self {
        case .tus(let settings):
            TusDialogue.decide(
                over: object, &transfer, source: source, compared: file, settings)
        case .get(let settings):
            GetDialogue.decide(over: file, by: object, transfer, settings)
        case .fetch, .put, .resumable, .once, .kii, .kiiBody:
            preconditionFailure("no other wire asks what it overwrites")
        }
    }

    /// Continues after a download's target was found to exist.
    func found(_ target: Source, of transfer: TransferRecord) -> Step {
        guard case .get(let settings) = self else {
            preconditionFailure("only a session's download looks at its target")
        }
        return settings.overwrite == .never
            ? .fail(.alreadyExists) : .ask(.head(HeadRequest(object: transfer.source)))
    }

    func answered(
        _ head: HTTPResponseHead, _ body: [UInt8] = [], to request: TransferRequest,
        _ transfer: inout TransferRecord, source: Source,
        into wanted: inout [AttemptOutput]
    ) throws(HTTPError) -> Step {
        switch (self, request) {
        case (.tus(let settings), _):
            try TusDialogue.answered(
                head, body, to: request, &transfer, source, settings, into: &wanted)
        case (.put, _): PutDialogue.answered(head, &transfer, into: &wanted)
        case (.resumable(let way), .resumable(let call)):
            try ResumableDialogue.answered(
                head, to: call, &transfer, way, source: source.fingerprint, into: &wanted)
        case (.once(let key), .once(let request)):
            try OnceDialogue.answered(
                head, to: request, &transfer, key: key, source: source.fingerprint, into: &wanted)
        case (.get, .get(let request)):
            GetDialogue.answered(head, to: request, &transfer, into: &wanted)
        case (.fetch, .get(let request)):
            FetchDialogue.answered(head, to: request, &transfer, into: &wanted)
        case (.get(let settings), .head):
            GetDialogue.answered(head, transfer, source, settings)
        case (.kii, .kii(let call)):
            try KiiDialogue.answered(head, body, to: call, &transfer, into: &wanted)
        case (.kiiBody, .get(let request)):
            KiiBodyDialogue.answered(head, to: request, &transfer, into: &wanted)
        case (.resumable, _), (.once, _), (.get, _), (.fetch, _), (.kii, _), (.kiiBody, _):
            preconditionFailure("a dialogue hears answers to its own requests")
        }
    }
}

/// A request in any of the protocols.
enum TransferRequest: Hashable, Sendable {
    case tus(TusRequest)
    case put(PutRequest)
    case resumable(ResumableUploadCall)
    case once(OnceRequest)
    case get(GetRequest)
    case head(HeadRequest)
    case kii(KiiCall)
    case hello(HelloRequest)
    case paced(PacedRequest)

    func head(host: String) -> HTTPRequestHead {
        switch self {
        case .tus(let request): request.head(host: host)
        case .put(let request): request.head(host: host)
        case .resumable(let call): call.head(host: host)
        case .once(let request): request.head(host: host)
        case .get(let request): request.head(host: host)
        case .head(let request): request.head(host: host)
        case .kii(let call): call.head(host: host)
        case .hello(let request): request.head(host: host)
        case .paced(let request): request.head(host: host)
        }
    }

    /// Whether the answer has a head only, whose fields describe a body that does not follow.
    var asksForHeadAlone: Bool {
        switch self {
        case .tus(.offset), .head: true
        case .get(let request): request.asksForHeadAlone
        case .resumable(let call): call.request == .offset
        case .tus(.create), .tus(.append), .tus(.terminate), .put, .once, .kii, .hello, .paced:
            false
        }
    }

    /// Whether the address itself says who may use it.
    var isSigned: Bool {
        if case .once(.put) = self { true } else { false }
    }

    /// Whether a good answer means that a part of the object has moved.
    var movesContent: Bool {
        switch self {
        case .tus(.append), .put, .once(.put), .get: true
        case .resumable(let call):
            switch call.request {
            case .create, .append: true
            case .offset, .cancel: false
            }
        case .kii(let call):
            if case .append = call.request { true } else { false }
        case .tus(.create), .tus(.offset), .tus(.terminate), .once(.sign), .head, .hello, .paced:
            false
        }
    }

    /// Whether the request asks what a download would overwrite.
    var asksAboutObject: Bool {
        if case .head = self { true } else { false }
    }

    /// Whether the request is about the connection, and not about a transfer.
    var isOfConnection: Bool {
        switch self {
        case .hello, .paced: true
        case .tus, .put, .resumable, .once, .get, .head, .kii: false
        }
    }

    /// The server's name for the subject of the request, without a query that may be a signature.
    var resource: String {
        switch self {
        case .tus(.create(let collection, _, _, _)): collection
        case .tus(.offset(let resource)), .tus(.append(let resource, _, _, _)),
            .tus(.terminate(let resource)):
            resource
        case .put(let request): HTTPRequestHead.logged(request.target)
        case .resumable(let call): HTTPRequestHead.logged(call.target)
        case .once(let request): request.resource
        case .get(let request): request.loggedTarget
        case .head(let request): request.target
        case .kii(let call): call.resource
        case .hello(let request): request.target
        case .paced(let request): request.resource
        }
    }
}
