import Quantities

/// What a session of the queue downloads (A13): its bytes are kept beside the app's files until all
/// of them have come, so that the app has the whole file or none.
extension QueueMachine {
    /// What the world tells of what files hold, and of those that come.
    mutating func take(
        _ input: EngineInput, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        switch input {
        case .examined(let transfer, let examination):
            examined(transfer, examination, in: &process, at: now, into: &outputs)
        case .kept(let transfer, let count):
            kept(count, of: transfer, in: &process, at: now, into: &outputs)
        case .placed(let transfer, let result):
            placed(result, transfer, in: &process, at: now, into: &outputs)
        default: preconditionFailure("\(input) is for no session of the queue")
        }
    }

    /// So much of it is on the disk; nothing if the disk did not take it.
    private mutating func kept(
        _ count: ByteCount?, of id: TransferID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let session = active?.id, let place = place(carrying: id) else { return }
        guard let count else { return fail(.diskWrite, in: &process, at: now, into: &outputs) }
        withCarrier(place, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            let (progress, need) = lane.hasKept(count)
            if let progress, let transfer {
                outputs.append(
                    .callback(
                        session,
                        .progress(
                            name: transfer.source, done: progress.done, total: progress.total)))
            }
            return need
        }
    }

    /// The answer has come to its end: with an object that goes to its place, or without one.
    mutating func downloadIsOver(
        on place: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var attempt = current.attempt,
            let load = attempt[place].load
        else { return }
        switch attempt[place].lane.phase {
        case .placing, .keeping: completeFile(on: place, in: &process, at: now, into: &outputs)
        case .receiving:
            attempt[place].lane.place(transfer(load, of: current.id), into: &outputs)
            active?.phase = .running(attempt)
        case .idle, .looking, .saving, .asking, .sending, .skipping:
            let status = attempt[place].lane.lastStatus
            fail(TransferError(answer: status), in: &process, at: now, into: &outputs)
        }
    }

    private mutating func placed(
        _ result: PlacementResult, _ id: TransferID, in process: inout ProcessState,
        at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let place = place(carrying: id) else { return }
        withCarrier(place, in: &process, at: now, into: &outputs) { lane, _, _ in
            lane.placed(result)
        }
    }

    /// It leaves the queue, and nobody will go on with what it has begun.
    func discardDownloads(of id: SessionID, into outputs: inout [EngineOutput]) {
        guard sessions[id].isDownload else { return }
        for transfer in sessions[id].transfers
        where !transfer.isComplete && transfer.resource != nil {
            outputs.append(.discard(path: transfer.landing))
        }
    }
}
