import Protocols
import Quantities

/// An upload in Kii's way (behaviour K12): begun, sent chunk by chunk, committed.
///
///     start ──▶ chunk ──▶ … ──▶ chunk ──▶ commit
///     how much is there? ──┘ (go on)
///
/// Each chunk ends with a step to be saved, where the transfer can be suspended (K3) and the
/// server's part is durable. `isComplete` is durable before a commit is sent. If the server then no
/// longer knows the upload, nobody can tell whether it was published, so it is never sent again
/// (S8).
enum KiiDialogue {
    /// The commit of an upload that may be published already. It is sent again, whatever the source
    /// is now.
    static func commit(_ transfer: TransferRecord) -> TransferRequest? {
        upload(of: transfer).map { .kii(KiiCall(.commit($0), of: transfer.destination)) }
    }

    static func begin(_ transfer: inout TransferRecord, source: SourceFingerprint) -> Step {
        // The owner has inspected the source before, and finds out how it has changed.
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

    /// The number of bytes that the server has before this step.
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

    /// The request that discards the upload on the server, as nobody will continue it (L5).
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

    /// Continues after a refusal. Every refusal ends the attempt; only an upload that the server
    /// has forgotten starts over (L2).
    private static func refused(
        _ status: Int, _ call: KiiCall, _ transfer: inout TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        switch (status, call.request) {
        case (404, .offset), (410, .offset):
            transfer.resource = nil
            wanted.note(.engine(.startsOver(transfer.id.name, because: gone)))
            return start(transfer)
        // Does not start over at once, or a server that forgets everything would be asked for ever.
        case (404, .append), (410, .append):
            transfer.resource = nil
            wanted.note(.engine(.startsOver(transfer.id.name, because: gone)))
            return .complete
        // The server lost part of it before it could be published.
        case (409, .commit):
            transfer.isComplete = false
            return .complete
        default: return .complete
        }
    }

    private static let gone = "the server knows the upload no more"
}
