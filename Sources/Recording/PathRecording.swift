import RunLog
import TransferEngine

/// What an engine says of persistent sessions and their paths, as events of the log.
extension EngineRecorder {
    func fact(of note: PathNote) -> RunEvent.Fact {
        switch note {
        case .isPersistent(let session): .engine(.isPersistent(name(session)))
        case .added(let session, let path):
            .queue(.pathAdded(name(session), acceptance(of: path)))
        case .givesUp(let transfer, let because):
            .engine(.givesUp(name(transfer), because: because))
        }
    }
}
