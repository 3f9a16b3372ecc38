import Protocols
import Quantities

/// An upload over tus: create or ask for the offset, append, confirm.
///
/// An upload that has begun is asked for even if its source has changed since: it may be complete
/// with only its last answer lost, and nothing is published twice (S8). Before an upload is
/// created, the dialogue asks what it would overwrite, if its settings say so (A15). An upload that
/// has begun is not stopped by what it has published itself.
enum TusDialogue {
    /// The path at which the server accepts uploads.
    static let collection = "/tus"

    static let neverResumes = "its resume policy is to begin at byte 0"

    static func begin(
        _ transfer: inout TransferRecord, _ source: Source, _ settings: TransferSettings
    ) -> Step {
        guard let resource = transfer.resource else {
            return prepare(&transfer, source, settings)
        }
        return .ask(.tus(.offset(resource: resource)))
    }

    static func answered(
        _ head: HTTPResponseHead, _ body: [UInt8], to request: TransferRequest,
        _ transfer: inout TransferRecord, _ source: Source, _ settings: TransferSettings,
        into wanted: inout [AttemptOutput]
    ) throws(HTTPError) -> Step {
        if case .head = request { return toldOfTarget(head, &transfer, source, settings) }
        guard case .tus(let request) = request else {
            preconditionFailure("a dialogue hears answers to its own requests")
        }
        switch try TusResponse(parsing: head, to: request) {
        case .created(let resource):
            transfer.resource = resource
            return .save(then: append(transfer, from: .zero))
        case .offset(let offset, let length):
            guard let size = transfer.fingerprint?.size else {
                return discard(transfer, because: "the source was edited on its way", &wanted)
            }
            guard offset <= size, length.map({ $0 == size }) ?? (size == .zero)
            else { return .fail(.protocolViolation) }
            return resume(
                &transfer, at: offset, isComplete: length == offset, source, settings,
                into: &wanted)
        case .appended(let offset):
            guard offset == transfer.fingerprint?.size else { return .fail(.protocolViolation) }
            return .complete
        case .terminated: return startOver(&transfer, source, settings)
        case .refused(let status, _):
            if status == 403, blamesPath(body) { return .fail(.outsideDocroot) }
            // A server that speaks another version of tus names it.
            if status == 412, settings.overwrite == .never, head.fields["Tus-Version"] == nil {
                return .fail(.alreadyExists)
            }
            return refused(status, request, &transfer, source, settings, into: &wanted)
        }
    }

    // MARK: What it overwrites

    private static func prepare(
        _ transfer: inout TransferRecord, _ source: Source, _ settings: TransferSettings
    ) -> Step {
        settings.overwrite == .always
            ? create(&transfer, of: source, settings)
            : .ask(.head(HeadRequest(object: transfer.destination)))
    }

    /// Begins anew after an upload was discarded. If the source is as it was, the upload's last
    /// bytes may have published it meanwhile: the object is asked for under any policy (S8).
    private static func startOver(
        _ transfer: inout TransferRecord, _ source: Source, _ settings: TransferSettings
    ) -> Step {
        guard transfer.fingerprint == source.fingerprint else {
            transfer.resource = nil
            return prepare(&transfer, source, settings)
        }
        return .ask(.head(HeadRequest(object: transfer.destination)))
    }

    private static func toldOfTarget(
        _ head: HTTPResponseHead, _ transfer: inout TransferRecord, _ source: Source,
        _ settings: TransferSettings
    ) -> Step {
        switch HeadResponse(parsing: head) {
        case .missing: create(&transfer, of: source, settings)
        case .stands(let object):
            decide(over: object, &transfer, source: source, compared: source, settings)
        // A server that tells nothing of objects may still refuse the creation of the upload.
        case .refused(405): create(&transfer, of: source, settings)
        // Who overwrites in any case need not be allowed to read.
        case .refused(403) where settings.overwrite == .always:
            create(&transfer, of: source, settings)
        case .refused(let status): refusal(status)
        }
    }

    /// Decides whether to overwrite `object`. `compared` is the source, as far as it was read for
    /// this.
    static func decide(
        over object: ObjectState, _ transfer: inout TransferRecord, source: Source,
        compared: Source, _ settings: TransferSettings
    ) -> Step {
        let question = Overwriting(source: .init(compared), target: .init(object))
        let policy = settings.overwrite == .always ? .ifDifferent : settings.overwrite
        switch question.decide(by: policy, isOwn: transfer.resource != nil) {
        case .overwrite: return create(&transfer, of: source, settings)
        case .keep(let why): return .keepTarget(why)
        case .fail(let error): return .fail(error)
        case .compare: return .look(at: transfer.source, .whole, for: .comparison(object))
        }
    }

    // MARK: An upload

    /// Creates an upload of the source as it is now, once that is durable.
    ///
    /// An empty file would be published by its creation, and again if the answer is lost (S8). So
    /// its length is told only when the upload's address is known. Another client may publish
    /// meanwhile: an upload that must not overwrite says so to the server, too.
    private static func create(
        _ transfer: inout TransferRecord, of source: Source, _ settings: TransferSettings
    ) -> Step {
        transfer.fingerprint = source.fingerprint
        transfer.digest = source.digest
        transfer.resource = nil
        return .save(
            then: .ask(
                .tus(
                    .create(
                        collection: collection, object: transfer.destination,
                        length: source.fingerprint.size == .zero
                            ? nil : source.fingerprint.size,
                        isExclusive: settings.overwrite == .never))))
    }

    /// Continues an upload. A source that has changed since it began is never joined to it (S2):
    /// the server discards what it has (L5).
    private static func resume(
        _ transfer: inout TransferRecord, at offset: ByteCount, isComplete: Bool,
        _ source: Source, _ settings: TransferSettings, into wanted: inout [AttemptOutput]
    ) -> Step {
        let resource = transfer.resource ?? ""
        // Nothing more is sent of a complete upload.
        if !isComplete {
            let holds = settings.resume.holds(transfer, for: source)
            // Where nothing was sent, nothing can be joined.
            let isFresh = offset == .zero && transfer.fingerprint == source.fingerprint
            guard holds || isFresh && settings.resume == .none else {
                return discard(transfer, because: cause(transfer, offset, settings), &wanted)
            }
            if offset > .zero, let blindSpot = settings.resume.blindSpot {
                wanted.note(.engine(.isUnproven(transfer.id.name, because: blindSpot)))
            }
        }
        wanted.note(
            .engine(.resumes(transfer.id.name, resource: ResourceName(resource), at: offset)))
        guard !isComplete else { return .complete }
        guard transfer.fingerprint != source.fingerprint else {
            return append(transfer, from: offset)
        }
        // All bytes are unchanged; the upload takes on the file's new date.
        transfer.fingerprint = source.fingerprint
        return .save(then: append(transfer, from: offset))
    }

    /// Why an upload cannot go on.
    private static func cause(
        _ transfer: TransferRecord, _ offset: ByteCount, _ settings: TransferSettings
    ) -> String {
        if settings.resume == .none, offset > .zero { return neverResumes }
        return settings.resume.canCompare(transfer)
            ? "the source has changed"
            : "nothing is known of the source that its resume policy could compare"
    }

    /// Has the server discard the upload, and then starts over.
    private static func discard(
        _ transfer: TransferRecord, because: String, _ wanted: inout [AttemptOutput]
    ) -> Step {
        guard let resource = transfer.resource else {
            preconditionFailure("only an upload that was created is discarded")
        }
        wanted.note(.engine(.startsOver(transfer.id.name, because: because)))
        return .ask(.tus(.terminate(resource: resource)))
    }

    private static func append(_ transfer: TransferRecord, from offset: ByteCount) -> Step {
        guard let resource = transfer.resource, let size = transfer.fingerprint?.size else {
            preconditionFailure("an append goes to an upload that was created")
        }
        let request = TusRequest.append(
            resource: resource, at: offset, length: size - offset,
            total: size == .zero ? size : nil)
        return .send(.tus(request), from: offset, to: size)
    }

    /// Continues after a refusal. Every refusal has a way out (L2).
    private static func refused(
        _ status: Int, _ request: TusRequest, _ transfer: inout TransferRecord,
        _ source: Source, _ settings: TransferSettings, into wanted: inout [AttemptOutput]
    ) -> Step {
        switch (status, request) {
        // tus 1.0 allows each of these for an upload that does not exist. Where 403 is meant, the
        // creation of the next upload is refused, too.
        case (403, .offset), (404, .offset), (410, .offset):
            // If the server is wrong, bytes that are still on their way must not publish it (S8).
            return discard(transfer, because: "the server knows the upload no more", &wanted)
        case (403, .terminate), (404, .terminate), (405, .terminate), (410, .terminate):
            return startOver(&transfer, source, settings)
        // The next attempt asks for the offset, or for the upload, again.
        case (404, .append), (410, .append): return .fail(.peerEndedSession)
        default: return refusal(status)
        }
    }

    /// Whether the server says in words that the path is at fault. Any other 403 means no
    /// permission.
    private static func blamesPath(_ body: [UInt8]) -> Bool {
        String(decoding: body, as: UTF8.self).contains("docroot")
    }

    /// The error behind a refusal of any request.
    private static func refusal(_ status: Int) -> Step {
        switch status {
        // Our servers never redirect: a captive portal on the way wants to be seen first.
        case 300..<400: .fail(.connectionFailed)
        case 401: .fail(.authentication)
        case 403: .fail(.noPermission)
        case 413, 507: .fail(.noSpace)
        case 414: .fail(.pathTooLong)
        case 408, 409, 423, 429, 500...: .fail(.peerEndedSession)
        default: .fail(.protocolViolation)
        }
    }
}
