import Protocols
import Quantities

/// How an upload goes to an address that is signed for it alone (behaviour U6): asked for first,
/// and good for a while; then all of the source at once, under a key by which the server knows it
/// again (S8).
///
/// The address stands in the place of a resource. Whatever the server answers is an answer.
enum OnceDialogue {
    static func begin(
        _ transfer: inout TransferRecord, key: String, source: SourceFingerprint
    ) -> Step {
        transfer.fingerprint = source
        return next(transfer, key: key, source: source)
    }

    static func answered(
        _ head: HTTPResponseHead, to request: OnceRequest, _ transfer: inout TransferRecord,
        key: String, source: SourceFingerprint, into wanted: inout [AttemptOutput]
    ) throws(HTTPError) -> Step {
        guard (200..<300).contains(head.status) else { return .complete }
        switch request {
        case .sign:
            guard let address = head.fields["Location"] else {
                throw HTTPError(502, "an address was asked for, and none was given")
            }
            transfer.resource = address
            return next(transfer, key: key, source: source)
        case .put:
            transfer.isComplete = true
            wanted.note(.engine(.completes(transfer.id.name)))
            return .complete
        }
    }

    private static func next(
        _ transfer: TransferRecord, key: String, source: SourceFingerprint
    ) -> Step {
        guard let address = transfer.resource else {
            return .ask(.once(.sign(object: transfer.destination)))
        }
        return .send(
            .once(.put(address: address, length: source.size, key: key)), from: .zero,
            to: source.size)
    }
}
