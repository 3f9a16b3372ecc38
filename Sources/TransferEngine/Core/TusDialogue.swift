import Protocols
import Quantities

/// How an upload goes over tus: create or ask for the offset, append, confirm.
///
/// An upload that was begun before is asked for, even if its source has changed since: it may be
/// complete, only its last answer lost, and nothing is published twice (S8).
enum TusDialogue {
    /// The path under which the server takes uploads.
    private static let collection = "/tus"

    static func begin(_ transfer: inout TransferRecord, source: SourceFingerprint) -> Step {
        guard let resource = transfer.resource else { return create(&transfer, of: source) }
        return .ask(.tus(.offset(resource: resource)))
    }

    static func answered(
        _ head: HTTPResponseHead, to request: TransferRequest, _ transfer: inout TransferRecord,
        source: SourceFingerprint, into outputs: inout [EngineOutput]
    ) throws(HTTPError) -> Step {
        guard case .tus(let request) = request else {
            preconditionFailure("a dialogue hears answers to its own requests")
        }
        switch try TusResponse(parsing: head, to: request) {
        case .created(let resource):
            transfer.resource = resource
            return .save(then: append(transfer, from: .zero))
        case .offset(let offset, let length):
            guard let fingerprint = transfer.fingerprint, length == fingerprint.size,
                offset <= length
            else { return .fail(.protocolViolation) }
            return resume(transfer, at: offset, source: source, into: &outputs)
        case .appended(let offset):
            guard offset == transfer.fingerprint?.size else { return .fail(.protocolViolation) }
            return .complete
        case .terminated: return create(&transfer, of: source)
        case .refused(let status, _):
            return refused(status, request, &transfer, source: source, into: &outputs)
        }
    }

    /// The source as it is now becomes what the upload is of; that has to be durable first.
    private static func create(
        _ transfer: inout TransferRecord, of source: SourceFingerprint
    ) -> Step {
        transfer.fingerprint = source
        transfer.resource = nil
        return .save(
            then: .ask(
                .tus(
                    .create(
                        collection: collection, object: transfer.destination, length: source.size))
            ))
    }

    /// A source that is no longer what its upload began with is never joined to it (S2): what the
    /// server has of it is discarded (L5).
    private static func resume(
        _ transfer: TransferRecord, at offset: ByteCount, source: SourceFingerprint,
        into outputs: inout [EngineOutput]
    ) -> Step {
        let resource = transfer.resource ?? ""
        guard transfer.fingerprint == source || offset == transfer.fingerprint?.size else {
            outputs.append(.note(.startsOver(transfer.id, because: "the source has changed")))
            return .ask(.tus(.terminate(resource: resource)))
        }
        outputs.append(.note(.resumes(transfer.id, resource: resource, at: offset)))
        return append(transfer, from: offset)
    }

    private static func append(_ transfer: TransferRecord, from offset: ByteCount) -> Step {
        guard let resource = transfer.resource, let size = transfer.fingerprint?.size else {
            preconditionFailure("an append goes to an upload that was created")
        }
        guard offset < size else { return .complete }
        let request = TusRequest.append(resource: resource, at: offset, length: size - offset)
        return .send(.tus(request), from: offset, to: size)
    }

    /// Every refusal has a way out (L2).
    private static func refused(
        _ status: Int, _ request: TusRequest, _ transfer: inout TransferRecord,
        source: SourceFingerprint, into outputs: inout [EngineOutput]
    ) -> Step {
        switch (status, request) {
        case (404, .offset), (410, .offset):
            outputs.append(
                .note(.startsOver(transfer.id, because: "the server knows the upload no more")))
            return create(&transfer, of: source)
        case (403, .terminate), (404, .terminate), (410, .terminate):
            return create(&transfer, of: source)
        // No server of ours sends its clients away: somebody on the way wants to be seen first.
        case (300..<400, _): return .fail(.connectionFailed)
        case (401, _): return .fail(.authorisation)
        case (403, _): return .fail(.outsideDocroot)
        case (413, _), (507, _): return .fail(.noSpace)
        // The next attempt asks for the offset, or for the upload, anew.
        case (404, .append), (408, _), (409, _), (410, .append), (423, _), (429, _), (500..., _):
            return .fail(.peerEndedSession)
        default: return .fail(.protocolViolation)
        }
    }
}
