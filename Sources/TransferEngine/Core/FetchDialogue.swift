import Protocols
import Quantities

/// A download of a background task. What the server answers is the file, whatever its status (B8).
///
/// An object is resumed from an intact part of the same state (B12), as in `GetDialogue`; any other
/// answer is taken from its beginning, and never joined to anything.
enum FetchDialogue {
    static func begin(
        _ transfer: TransferRecord, held: ByteCount, _ extras: RequestExtras
    ) -> Step {
        let whole = GetRequest(object: transfer.source, from: .zero, of: nil, extras)
        guard whole.canResume, let validator = transfer.resource, held > .zero else {
            return .ask(.get(whole))
        }
        return .ask(.get(GetRequest(object: transfer.source, from: held, of: validator, extras)))
    }

    static func answered(
        _ head: HTTPResponseHead, to request: GetRequest, _ transfer: inout TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        let isObject = head.hasObject || head.status == 416 && request.offset > .zero
        if request.canResume, isObject {
            return GetDialogue.answered(head, to: request, &transfer, into: &wanted)
        }
        wanted.append(.keep(transfer.id, path: transfer.landing, [], at: .zero))
        let length = head.fields["Content-Length"].flatMap { ByteCount(decimalDigits: $0) }
        let hasBody = !request.asksForHeadAlone && head.mayHaveBody
        let receive = Step.receive(from: .zero, total: hasBody ? length : .zero)
        guard transfer.resource != nil else { return receive }
        transfer.resource = nil
        return .save(then: receive)
    }
}
