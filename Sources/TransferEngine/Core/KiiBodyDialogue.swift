import Protocols
import Quantities

/// How a body is downloaded in Kii's way (behaviour K12): from the beginning, or on from where a
/// part of the same body ends, which its ETag says.
///
/// The ETag stands in the place of a resource, and the size of the body in that of a fingerprint.
/// Both are durable before any byte is: parts of two bodies are never joined (S2).
enum KiiBodyDialogue {
    /// `held` is how much of it is there.
    static func begin(_ transfer: inout TransferRecord, held: ByteCount) -> Step {
        // All of it had come, and the process ended before it was put in its place.
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
        // Its owner ends it with that (K11, 813).
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
            // What is there of another body goes first.
            wanted.append(.keep(transfer.id, path: transfer.destination, [], at: .zero))
            let size = total.map { SourceFingerprint(size: $0, modified: 0) }
            let receive = Step.receive(from: .zero, total: total)
            guard (transfer.resource, transfer.fingerprint) != (validator, size) else {
                return receive
            }
            transfer.resource = validator
            transfer.fingerprint = size
            return .save(then: receive)
        // The next transfer begins anew, and that is a way out (L2).
        case .startOver(let because):
            wanted.note(.engine(.startsOver(transfer.id.name, because: because)))
            transfer.resource = nil
            transfer.fingerprint = nil
            return .fail(.connectionLost)
        case .other: return .skip
        }
    }
}
