import Protocols
import Quantities

/// How an upload goes by one PUT: all of it in one request, under a key by which the server knows
/// it again (S8): that stands in the place of a resource, from the beginning.
///
/// Whatever the server answers is an answer; what it means is the app's business (B8).
enum PutDialogue {
    static func begin(_ transfer: inout TransferRecord, source: SourceFingerprint) -> Step {
        // Under one key there is one body: a source that was edited since is another transfer.
        if let known = transfer.fingerprint, known != source { return .fail(.diskRead) }
        let request = PutRequest(
            object: transfer.destination, length: source.size, key: transfer.resource ?? "")
        let step = Step.send(.put(request), from: .zero, to: source.size)
        guard transfer.fingerprint == nil else { return step }
        transfer.fingerprint = source
        return .save(then: step)
    }

    static func answered(
        _ head: HTTPResponseHead, _ transfer: inout TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        if (200..<300).contains(head.status) { wanted.note(.engine(.completes(transfer.id.name))) }
        return .complete
    }
}
