import RunLog
import TransferEngine

/// What an engine says of its resumable transfers, as events of the log.
extension EngineRecorder {
    func facts(of note: EntryNote, about entry: ItemName) -> [RunEvent.Fact] {
        switch note {
        case .accepted(let record):
            let accepted = AcceptedTransfer(
                transfer: TransferName(entry), source: record.transfer.source,
                destination: record.isDownload ? record.path : record.transfer.destination,
                isDownload: record.isDownload)
            return [
                .engine(.accepts(entry, index: nil, [accepted])),
                .engine(.moves(entry, from: .waiting, to: .running, because: "the app starts it")),
            ]
        case .asked(.transfer): return [.entries(.asked(entry, .transfer))]
        case .asked(.suspend): return [.entries(.asked(entry, .suspend))]
        case .asked(.terminate): return [.entries(.asked(entry, .terminate))]
        case .asked(let event): preconditionFailure("no app asks for \(event)")
        case .moved(let from, let to, let because):
            return [.engine(.moves(entry, from: from.stage, to: to.stage, because: because))]
        case .found(let state): return [.engine(.found(entry, state.stage))]
        case .attempt: return [.engine(.attempt(entry, number: 1))]
        case .fails(let error):
            return [
                .engine(.fails(entry, code: error.code, message: error.message, retryIn: nil))
            ]
        }
    }
}

extension EntryCallback {
    init(_ news: EntryNews) {
        switch news {
        case .ongoing: self = .ongoing
        case .progress(let done, let total): self = .progress(done: done, total: total)
        case .suspended(let error):
            self = .suspended(code: error.code, message: error.message)
        case .completed: self = .completed
        case .ended(let error): self = .ended(code: error.code, message: error.message)
        }
    }
}

extension EntryState {
    fileprivate var stage: ItemStage {
        switch self {
        case .fresh: .waiting
        case .ongoing: .running
        case .suspended: .suspended
        case .completed: .completed
        case .terminated: .cancelled
        case .failed: .failed
        }
    }
}
