import Protocols
import Quantities

/// A download of a body in Kii's way (behaviour K12), from the beginning or from the end of a part
/// with the same ETag.
///
/// The ETag is kept as the transfer's resource, and the size of the body as its fingerprint. Both
/// are durable before any byte is written: parts of two bodies are never joined (S2).
enum KiiBodyDialogue {
    /// Begins or resumes the download; `held` bytes of it are here.
    static func begin(_ transfer: inout TransferRecord, held: ByteCount) -> Step {
        // All of it had arrived, but the process ended before it was moved to its place.
        if transfer.resource != nil, transfer.fingerprint?.size == held {
            transfer.isComplete = true
            return .complete
        }
        let from = transfer.resource == nil ? .zero : held
        return .ask(
            .get(
                GetRequest(
                    object: transfer.source, from: from, of: transfer.resource, at: .kii)))
    }

    static func answered(
        _ head: HTTPResponseHead, to request: GetRequest, _ transfer: inout TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        // The owner ends the transfer with this error (K11, 813).
        guard head.status != 416 else { return .skip }
        switch GetResponse(parsing: head, to: request) {
        case .object(_, let from, let total) where from > .zero:
            wanted.note(
                .engine(
                    .resumes(transfer.id.name, resource: ResourceName(request.target), at: from)))
            return .receive(from: from, total: total)
        case .object(let validator, _, let total):
            if request.offset > .zero {
                wanted.note(
                    .engine(.startsOver(transfer.id.name, because: "the body was replaced")))
            }
            // Bytes of another body are deleted first.
            wanted.append(.keep(transfer.id, path: transfer.destination, [], at: .zero))
            let size = total.map { SourceFingerprint(size: $0, modified: 0) }
            let receive = Step.receive(from: .zero, total: total)
            guard (transfer.resource, transfer.fingerprint) != (validator, size) else {
                return receive
            }
            transfer.resource = validator
            transfer.fingerprint = size
            return .save(then: receive)
        // The next transfer starts over, which is a way out (L2).
        case .startOver(let because):
            wanted.note(.engine(.startsOver(transfer.id.name, because: because)))
            transfer.resource = nil
            transfer.fingerprint = nil
            return .fail(.connectionLost)
        case .other: return .skip
        }
    }
}
