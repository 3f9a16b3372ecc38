import Quantities

/// What a session of the queue downloads (A13): its bytes are kept beside the app's files until all
/// of them have come, so that the app has the whole file or none.
extension QueueMachine {
    /// The answer has come to its end: with an object that goes to its place, or without one.
    mutating func downloadIsOver(
        on place: Int, in turn: inout Turn
    ) {
        guard let current = active, var attempt = current.attempt,
            let load = attempt[place].load
        else { return }
        switch attempt[place].lane.phase {
        case .placing, .keeping: completeFile(on: place, in: &turn)
        case .receiving:
            attempt[place].lane.place(transfer(load, of: current.id), into: &turn.wanted)
            active?.phase = .running(attempt)
        case .idle, .looking, .saving, .asking, .sending, .skipping:
            let status = attempt[place].lane.lastStatus
            fail(TransferError(answer: status), in: &turn)
        }
    }

    /// It leaves the queue, and nobody will go on with what it has begun.
    func discardDownloads(of id: SessionID, in turn: inout Turn) {
        guard sessions[id].isDownload else { return }
        for transfer in sessions[id].transfers
        where !transfer.isComplete && transfer.resource != nil {
            turn.wanted.append(.discard(path: transfer.landing))
        }
    }
}
