import RunLog
import TransferEngine

/// What an engine says of its upload operations, as events of the log.
extension EngineRecorder {
    func facts(of note: OperationNote, about operation: ItemName) -> [RunEvent.Fact] {
        let transfer = TransferName(operation)
        switch note {
        case .accepted(let record):
            let accepted = AcceptedTransfer(
                transfer: transfer, source: record.source, destination: record.destination)
            return [
                .engine(.accepts(operation, index: nil, [accepted])),
                .engine(
                    .moves(operation, from: .waiting, to: .running, because: "the app adds it")),
            ]
        case .asked(.cancel): return [.operations(.asked(operation, .cancel))]
        case .asked(.retry): return [.operations(.asked(operation, .retry))]
        case .asked(let event): preconditionFailure("no app asks for \(event)")
        case .moved(let from, let to, let because):
            return [
                .engine(
                    .moves(operation, from: from.stage, to: to.stage, because: because))
            ]
        case .attempt: return [.engine(.attempt(operation, number: 1))]
        case .fails(let error):
            return [
                .engine(
                    .fails(operation, code: error.code, message: error.message, retryIn: nil))
            ]
        case .token(let use): return [.engine(.token("\(operation)", use.step))]
        case .unlisted: return [.operations(.unlisted(operation))]
        }
    }
}

extension OperationCallback {
    /// That it is in no list any more no notification says.
    init?(_ news: OperationNews) {
        switch news {
        case .added: self = .added
        case .progress(let done, let total): self = .progress(done: done, total: total)
        case .completed: self = .completed
        case .failed(let error): self = .failed(code: error.code, message: error.message)
        case .unlisted: return nil
        }
    }
}

extension OperationState {
    fileprivate var stage: ItemStage {
        switch self {
        case .ongoing: .running
        case .completed: .completed
        case .failed, .unlisted: .failed
        }
    }
}

extension OperationNote.TokenUse {
    fileprivate var step: TokenStep {
        switch self {
        case .used: .used
        case .rejected: .rejected
        case .refreshBegins: .refreshBegan
        case .refreshEnds(let isNew): .refreshEnded(isNew: isNew)
        }
    }
}
