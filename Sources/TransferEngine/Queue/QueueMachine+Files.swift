import Content
import Quantities

/// The files of the session whose turn it is, one after the other on its lane.
extension QueueMachine {
    mutating func beginNextFile(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var lane = current.lane else { return }
        let record = sessions[current.id]
        guard let file = record.transfers.firstIndex(where: { !$0.isComplete }) else {
            finish(in: &process, into: &outputs)
            return
        }
        let transfer = record.transfers[file]
        outputs.append(.callback(current.id, .didStartFile(name: transfer.source)))
        lane.begin(transfer, into: &outputs)
        active?.openFile = file
        active?.phase = .running(lane)
    }

    mutating func inspected(
        _ id: TransferID, _ inspection: SourceInspection, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        let mustSave = isStoreBehind
        withLane(in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            guard transfer?.id == id, var current = transfer else { return nil }
            let need = lane.inspected(inspection, &current, mustSave: mustSave, into: &outputs)
            transfer = current
            return need
        }
    }

    mutating func received(
        _ segments: [Segment], on id: ConnectionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard active?.lane?.connection == id else { return }
        withLane(in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            lane.received(segments, &transfer, at: now, into: &outputs)
        }
    }

    mutating func taken(
        _ count: ByteCount, on id: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var lane = current.lane, lane.connection == id else { return }
        let progress = lane.took(count, at: now)
        if let file = current.openFile {
            let transfer = sessions[current.id].transfers[file]
            if let progress {
                outputs.append(
                    .callback(
                        current.id,
                        .progress(
                            name: transfer.source, done: progress.done, total: progress.total)))
            }
            lane.supply(transfer, into: &outputs)
        }
        active?.phase = .running(lane)
    }

    /// The source was edited or taken away under the upload (error 35): the next attempt finds out
    /// what became of it.
    mutating func unreadable(
        _ id: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard active?.lane?.connection == id else { return }
        fail(.diskRead, in: &process, at: now, into: &outputs)
    }

    /// Lets something happen to the lane and the transfer that it carries, and gives it what it
    /// needs then.
    mutating func withLane(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput],
        _ event: (inout Lane, inout TransferRecord?, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let current = active, var lane = current.lane else { return }
        var transfer = current.openFile.map { sessions[current.id].transfers[$0] }
        let need = event(&lane, &transfer, &outputs)
        if let file = current.openFile, let transfer {
            sessions[current.id].transfers[file] = transfer
        }
        active?.phase = .running(lane)
        switch need {
        case nil: break
        case .save(let next):
            let ticket = process.persist(.put(sessions[current.id]), into: &outputs)
            lane.save(ticket, then: next)
            active?.phase = .running(lane)
        case .complete: completeFile(in: &process, at: now, into: &outputs)
        case .fail(let error): fail(error, in: &process, at: now, into: &outputs)
        }
    }

    private mutating func completeFile(
        in process: inout ProcessState, at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var lane = current.lane, let file = current.openFile
        else { return }
        sessions[current.id].transfers[file].isComplete = true
        let transfer = sessions[current.id].transfers[file]
        outputs.append(.note(.completes(transfer.id)))
        outputs.append(.callback(current.id, .didStopFile(name: transfer.source)))
        process.persist(.put(sessions[current.id]), into: &outputs)
        lane.clear()
        active?.openFile = nil
        active?.phase = .running(lane)
        beginNextFile(in: &process, at: now, into: &outputs)
    }
}
