import Protocols
import Quantities

/// How an upload goes in Kii's way (behaviour K12): begun, sent chunk by chunk, committed.
///
///     start ──▶ chunk ──▶ … ──▶ chunk ──▶ commit
///     how much is there? ──┘ (go on)
///
/// Each chunk ends with a step to be saved: there the transfer can be suspended (K3), and what the
/// server has of it is durable. Before a commit goes out, that it may have been is durable, too
/// (`isComplete`): if the server does not know the upload any more then, nobody can tell whether it
/// was published, and it is never sent a second time (S8).
enum KiiDialogue {
    /// One that may be published already: that is asked for again, whatever its source is now.
    static func commit(_ transfer: TransferRecord) -> TransferRequest? {
        upload(of: transfer).map { .kii(KiiCall(.commit($0), of: transfer.destination)) }
    }

    static func begin(_ transfer: inout TransferRecord, source: SourceFingerprint) -> Step {
        // It was looked at before; what it is now is for its owner to find out.
        guard transfer.fingerprint == source else { return .fail(.diskRead) }
        guard let upload = upload(of: transfer) else { return start(transfer) }
        return .ask(.kii(KiiCall(.offset(upload), of: transfer.destination)))
    }

    static func answered(
        _ head: HTTPResponseHead, _ body: [UInt8], to call: KiiCall,
        _ transfer: inout TransferRecord, into wanted: inout [AttemptOutput]
    ) throws(HTTPError) -> Step {
        guard (200..<300).contains(head.status) else {
            return refused(head.status, call, &transfer, into: &wanted)
        }
        switch call.request {
        case .start:
            let answer = try KiiUploadAnswer(parsing: body)
            transfer.resource = KiiCall.resource(of: answer.upload)
            return .save(then: next(transfer, from: .zero))
        case .offset:
            guard let offset = try KiiUploadAnswer(parsing: body).received,
                let size = transfer.fingerprint?.size, offset <= size
            else { throw HTTPError(502, "what the server has is more than there is") }
            wanted.note(
                .engine(
                    .resumes(transfer.id.name, resource: ResourceName(call.resource), at: offset)))
            return .save(then: next(transfer, from: offset))
        case .append(_, let chunk):
            return .save(then: next(transfer, from: chunk.offset + chunk.length))
        case .commit:
            wanted.note(.engine(.completes(transfer.id.name)))
            return .complete
        case .cancel: return .complete
        case .read, .put, .delete: preconditionFailure("no upload asks for \(call.request)")
        }
    }

    /// How far the server has it when this step is taken.
    static func reached(before step: Step, of transfer: TransferRecord) -> ByteCount? {
        switch step {
        case .send(_, let offset, _): offset
        case .ask: commits(step) ? transfer.fingerprint?.size : nil
        case .receive, .skip, .save, .look, .complete, .keepTarget, .fail: nil
        }
    }

    static func commits(_ step: Step) -> Bool {
        guard case .ask(.kii(let call)) = step, case .commit = call.request else { return false }
        return true
    }

    /// What has come of it is thrown away, as nobody will come back for it (L5).
    static func farewell(to transfer: TransferRecord) -> TransferRequest? {
        upload(of: transfer).map { .kii(KiiCall(.cancel($0), of: transfer.destination)) }
    }

    private static func upload(of transfer: TransferRecord) -> UInt64? {
        transfer.resource.flatMap(KiiCall.upload(named:))
    }

    private static func start(_ transfer: TransferRecord) -> Step {
        .ask(.kii(KiiCall(.start, of: transfer.destination)))
    }

    private static func next(_ transfer: TransferRecord, from offset: ByteCount) -> Step {
        guard let upload = upload(of: transfer), let size = transfer.fingerprint?.size else {
            preconditionFailure("a chunk goes to an upload that was begun")
        }
        guard offset < size else {
            return .ask(.kii(KiiCall(.commit(upload), of: transfer.destination)))
        }
        let length = min(KiiCall.chunk, size - offset)
        let chunk = KiiRequest.Chunk(offset: offset, length: length, total: size)
        return .send(
            .kii(KiiCall(.append(upload, chunk), of: transfer.destination)), from: offset,
            to: offset + length)
    }

    /// Whatever the server answers is an answer; only that it knows an upload no more has a way out
    /// of its own (L2).
    private static func refused(
        _ status: Int, _ call: KiiCall, _ transfer: inout TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        switch (status, call.request) {
        case (404, .offset), (410, .offset):
            transfer.resource = nil
            wanted.note(.engine(.startsOver(transfer.id.name, because: gone)))
            return start(transfer)
        // Not at once, or a server that forgets everything would be asked for ever.
        case (404, .append), (410, .append):
            transfer.resource = nil
            wanted.note(.engine(.startsOver(transfer.id.name, because: gone)))
            return .complete
        // Some of it was lost before it could be published.
        case (409, .commit):
            transfer.isComplete = false
            return .complete
        default: return .complete
        }
    }

    private static let gone = "the server knows the upload no more"
}
