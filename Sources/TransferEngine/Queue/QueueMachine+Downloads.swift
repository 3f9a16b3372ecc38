import Quantities

/// Downloads of queue sessions (A13). Bytes are kept beside the app's files until all have arrived,
/// so that the app has the whole file or none.
extension QueueMachine {
    /// Continues after an answer has ended: with an object to move to its place, or without one.
    mutating func downloadIsOver(
        on place: Int, in turn: inout Turn
    ) {
        guard let id = active?.id, let carrier = active?.attempt?[place], let load = carrier.load
        else { return }
        switch carrier.lane.phase {
        case .placing, .keeping: complete(place, in: &turn)
        case .receiving:
            let download = transfer(load, of: id)
            active?.attempt?[place].lane.place(download, into: &turn.wanted)
        case .idle, .looking, .saving, .asking, .opening, .sending, .skipping:
            let status = carrier.lane.lastStatus
            fails(place, TransferError(answer: status), in: &turn)
        }
    }

    /// Deletes the partial downloads of a session that leaves the queue, also those that were to
    /// start over.
    func discardDownloads(of id: SessionID, in turn: inout Turn) {
        guard sessions[id].isDownload else { return }
        for transfer in sessions[id].transfers where !transfer.isComplete {
            turn.wanted.append(.discard(path: transfer.landing))
        }
    }
}
