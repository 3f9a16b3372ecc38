import Protocols
import Quantities

/// An upload to an address that is signed for it alone (behaviour U6). The address is requested
/// first, and is valid for a while. The whole source is then sent at once, under a key by which the
/// server recognises it (S8).
///
/// The address is kept as the transfer's resource. Any answer ends the dialogue.
enum OnceDialogue {
    static func begin(
        _ transfer: inout TransferRecord, key: OnceKey, source: SourceFingerprint
    ) -> Step {
        transfer.fingerprint = source
        return next(transfer, key: key, source: source)
    }

    static func answered(
        _ head: HTTPResponseHead, to request: OnceRequest, _ transfer: inout TransferRecord,
        key: OnceKey, source: SourceFingerprint, into wanted: inout [AttemptOutput]
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
        _ transfer: TransferRecord, key: OnceKey, source: SourceFingerprint
    ) -> Step {
        guard let address = transfer.resource else {
            return .ask(.once(.sign(object: transfer.destination)))
        }
        return .send(
            .once(.put(address: address, length: source.size, key: key.text(for: source))),
            from: .zero, to: source.size)
    }
}
