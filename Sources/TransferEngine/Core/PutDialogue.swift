import Protocols
import Quantities

/// An upload by one PUT, or by another method that the app wants: the whole source in one request,
/// under a key by which the server recognises it (S8). The key is kept as the transfer's resource
/// from the beginning.
///
/// Any answer ends the dialogue; the app decides what it means (B8).
enum PutDialogue {
    static func begin(
        _ transfer: inout TransferRecord, source: SourceFingerprint, _ extras: RequestExtras
    ) -> Step {
        // A key has one body: an edited source is another transfer.
        if let known = transfer.fingerprint, known != source { return .fail(.diskRead) }
        let request = PutRequest(
            object: transfer.destination, length: source.size, key: transfer.resource ?? "",
            extras)
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
