import Protocols
import Quantities

/// A resumable upload of a background task (draft-ietf-httpbis-resumable-upload). It begins empty,
/// so that nothing is published before the upload's address is known (S8). It is then sent, and
/// resumed after an interruption.
///
/// Any answer to the upload itself ends the dialogue; the app decides what it means (B8).
enum ResumableDialogue {
    /// The system's dialect, and what the app adds to the request that begins the upload.
    struct Way: Hashable, Sendable {
        var version: ResumableUploadVersion
        var extras = RequestExtras()
    }

    static func begin(
        _ transfer: inout TransferRecord, _ way: Way,
        source: SourceFingerprint
    ) -> Step {
        guard let upload = transfer.resource else { return create(&transfer, way, source) }
        return .ask(.resumable(ResumableUploadCall(.offset, to: upload, in: way.version)))
    }

    static func answered(
        _ head: HTTPResponseHead, to call: ResumableUploadCall, _ transfer: inout TransferRecord,
        _ way: Way, source: SourceFingerprint,
        into wanted: inout [AttemptOutput]
    ) throws(HTTPError) -> Step {
        let isSuccess = (200..<300).contains(head.status)
        switch call.request {
        case .create:
            guard isSuccess else { return .complete }
            guard let place = head.fields["Location"], place.hasPrefix("/") else {
                throw HTTPError(502, "the server began an upload but says not where")
            }
            transfer.resource = place
            return .save(then: append(transfer, way, from: .zero))
        case .offset:
            if isSuccess {
                let found = try ResumableUploadOffset(parsing: head, in: way.version)
                return goOn(&transfer, way, at: found, source: source, into: &wanted)
            }
            guard head.status == 404 || head.status == 410 else { return refused(head.status) }
            wanted.note(
                .engine(
                    .startsOver(transfer.id.name, because: "the server knows the upload no more")))
            // If the server is wrong, bytes that are still on their way must not publish it (S8).
            return .ask(.resumable(ResumableUploadCall(.cancel, to: call.target, in: way.version)))
        case .append:
            // The next attempt asks for the offset, or for the upload, again.
            if [404, 409, 410].contains(head.status) { return .fail(.peerEndedSession) }
            if isSuccess { wanted.note(.engine(.completes(transfer.id.name))) }
            return .complete
        case .cancel:
            guard transfer.fingerprint == source else { return .fail(.diskRead) }
            guard isSuccess || [403, 404, 405, 410].contains(head.status) else {
                return refused(head.status)
            }
            transfer.resource = nil
            return create(&transfer, way, source)
        }
    }

    private static func create(
        _ transfer: inout TransferRecord, _ way: Way,
        _ source: SourceFingerprint
    ) -> Step {
        // A source that was edited since the first attempt is another transfer.
        if let known = transfer.fingerprint, known != source { return .fail(.diskRead) }
        let step = Step.ask(
            .resumable(
                .begin(
                    transfer.destination, total: source.size, in: way.version, way.extras)))
        guard transfer.fingerprint == nil else { return step }
        transfer.fingerprint = source
        return .save(then: step)
    }

    /// Continues an upload. If it is complete, only the last answer was lost, whatever the source
    /// is now. A changed source is never joined to it (S2), and the server need not keep it (L5).
    private static func goOn(
        _ transfer: inout TransferRecord, _ way: Way,
        at found: ResumableUploadOffset, source: SourceFingerprint,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        guard let upload = transfer.resource, let known = transfer.fingerprint else {
            preconditionFailure("an upload that was begun has a place and a source")
        }
        guard found.offset <= known.size else { return .fail(.protocolViolation) }
        guard found.isComplete || known == source else {
            return .ask(.resumable(ResumableUploadCall(.cancel, to: upload, in: way.version)))
        }
        // Between attempts, an edit that keeps size and date cannot be seen.
        if found.offset > .zero, !found.isComplete {
            wanted.note(.engine(.isUnproven(transfer.id.name, because: .attributes)))
        }
        wanted.note(
            .engine(.resumes(transfer.id.name, resource: ResourceName(upload), at: found.offset)))
        guard found.isComplete else { return append(transfer, way, from: found.offset) }
        wanted.note(.engine(.completes(transfer.id.name)))
        return .complete
    }

    private static func append(
        _ transfer: TransferRecord, _ way: Way, from offset: ByteCount
    ) -> Step {
        guard let upload = transfer.resource, let size = transfer.fingerprint?.size else {
            preconditionFailure("an append goes to an upload that was begun")
        }
        let chunk = ResumableUploadRequest.Chunk(
            length: size - offset, isLast: true, total: size)
        let call = ResumableUploadCall(.append(chunk, at: offset), to: upload, in: way.version)
        return .send(.resumable(call), from: offset, to: size)
    }

    /// The error if the server did not tell the offset.
    private static func refused(_ status: Int) -> Step {
        switch status {
        case 408, 409, 423, 429, 500...: .fail(.peerEndedSession)
        default: .fail(.protocolViolation)
        }
    }
}
