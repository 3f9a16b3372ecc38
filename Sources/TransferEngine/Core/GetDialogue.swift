import Protocols
import Quantities

/// How a download goes by GET: from the beginning, or on from where an intact part of the same
/// state of the object ends (B12).
///
/// The validator of that state stands in the place of a resource. It is durable before any byte of
/// it is: bytes of two states are never joined (S2).
enum GetDialogue {
    /// `held` is how much of it is there.
    static func begin(_ transfer: TransferRecord, held: ByteCount) -> Step {
        let from = transfer.resource == nil ? .zero : held
        return .ask(
            .get(GetRequest(object: transfer.source, from: from, of: transfer.resource)))
    }

    static func answered(
        _ head: HTTPResponseHead, to request: GetRequest, _ transfer: inout TransferRecord,
        into outputs: inout [EngineOutput]
    ) -> Step {
        switch GetResponse(parsing: head, to: request) {
        case .object(_, let from, let total) where from > .zero:
            outputs.append(
                .note(.resumes(transfer.id, resource: request.target, at: from)))
            return .receive(from: from, total: total)
        case .object(let validator, _, let total):
            if request.offset > .zero {
                outputs.append(
                    .note(.startsOver(transfer.id, because: "the object is not what it was")))
            }
            // What is there of another state goes first: under the validator of this one it would
            // be gone on with.
            outputs.append(.keep(transfer.id, path: transfer.landing, [], at: .zero))
            let receive = Step.receive(from: .zero, total: total)
            guard transfer.resource != validator else { return receive }
            transfer.resource = validator
            return .save(then: receive)
        // What is there may be all of it: the next attempt begins anew, and that is a way out (L2).
        case .startOver(let because):
            outputs.append(.note(.startsOver(transfer.id, because: because)))
            transfer.resource = nil
            return .fail(.connectionLost)
        case .other: return .skip
        }
    }
}
