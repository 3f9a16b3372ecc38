import Protocols
import Quantities

/// A download by GET, from the beginning or from the end of an intact part of the same state of the
/// object.
///
/// The validator of that state is kept as the transfer's resource. It is durable before any byte is
/// written: bytes of two states are never joined (S2).
///
/// A download that has not begun first asks what it would overwrite, if its settings say so. One
/// that has begun does not ask again: it must not be stopped by its own result.
enum GetDialogue {
    static func firstLook(for transfer: TransferRecord, _ settings: TransferSettings) -> Step {
        guard transfer.resource == nil, settings.overwrite != .always else {
            return lookForPart(of: transfer)
        }
        return .look(at: transfer.destination, nil, for: .target)
    }

    static func lookForPart(of transfer: TransferRecord) -> Step {
        .look(at: transfer.landing, nil, for: .source)
    }

    /// Begins or resumes the download; `held` bytes of it are here.
    static func begin(
        _ transfer: TransferRecord, held: ByteCount, _ settings: TransferSettings,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        var from = transfer.resource == nil ? .zero : held
        if settings.resume == .none, from > .zero {
            wanted.note(.engine(.startsOver(transfer.id.name, because: TusDialogue.neverResumes)))
            from = .zero
        }
        return .ask(
            .get(GetRequest(object: transfer.source, from: from, of: transfer.resource)))
    }

    static func answered(
        _ head: HTTPResponseHead, to request: GetRequest, _ transfer: inout TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Step {
        switch GetResponse(parsing: head, to: request) {
        case .object(_, let from, let total) where from > .zero:
            wanted.note(
                .engine(
                    .resumes(
                        transfer.id.name, resource: ResourceName(request.loggedTarget), at: from)))
            return .receive(from: from, total: total)
        case .object(let validator, _, let total):
            if request.offset > .zero {
                wanted.note(
                    .engine(.startsOver(transfer.id.name, because: "the object is not what it was"))
                )
            }
            // Bytes of another state are deleted first: under this validator they would be resumed.
            wanted.append(.keep(transfer.id, path: transfer.landing, [], at: .zero))
            let receive = Step.receive(from: .zero, total: total)
            guard transfer.resource != validator else { return receive }
            transfer.resource = validator
            return .save(then: receive)
        // What is here may be all of it: the next attempt starts over, which is a way out (L2).
        case .startOver(let because):
            wanted.note(.engine(.startsOver(transfer.id.name, because: because)))
            transfer.resource = nil
            return .fail(.connectionLost)
        case .other: return .skip
        }
    }

    // MARK: What it overwrites

    /// Decides, with the answer about the object, whether it may replace `target`.
    static func answered(
        _ head: HTTPResponseHead, _ transfer: TransferRecord, _ target: Source,
        _ settings: TransferSettings
    ) -> Step {
        switch HeadResponse(parsing: head) {
        case .stands(let object): decide(over: target, by: object, transfer, settings)
        case .missing, .refused: .fail(TransferError(answer: head.status))
        }
    }

    static func decide(
        over target: Source, by object: ObjectState, _ transfer: TransferRecord,
        _ settings: TransferSettings
    ) -> Step {
        let question = Overwriting(source: .init(object), target: .init(target))
        switch question.decide(by: settings.overwrite) {
        case .overwrite: return lookForPart(of: transfer)
        case .keep(let why): return .keepTarget(why)
        case .fail(let error): return .fail(error)
        case .compare:
            return .look(at: transfer.destination, .whole, for: .comparison(object))
        }
    }
}
