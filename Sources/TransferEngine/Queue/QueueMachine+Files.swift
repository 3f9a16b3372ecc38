import Content
import Quantities

/// The files of the session whose turn it is, one after the other on its connection.
extension QueueMachine {
    mutating func beginNextFile(
        on place: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        let record = sessions[current.id]
        guard let file = record.transfers.firstIndex(where: { !$0.isComplete }) else {
            finish(in: &process, into: &outputs)
            return
        }
        let transfer = record.transfers[file]
        outputs.append(.callback(current.id, .didStartFile(name: transfer.source)))
        attempt[place].lane.begin(transfer, at: now, into: &outputs)
        attempt[place].load = .file(file)
        active?.phase = .running(attempt)
    }

    mutating func inspected(
        _ id: TransferID, _ inspection: SourceInspection, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        lookedAt(id, in: &process, at: now, into: &outputs) {
            $0.inspected(inspection, &$1, mustSave: $2, into: &$3)
        }
    }

    mutating func examined(
        _ id: TransferID, _ examination: SourceExamination, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        lookedAt(id, in: &process, at: now, into: &outputs) {
            $0.examined(examination, &$1, mustSave: $2, into: &$3)
        }
    }

    /// A file was looked at for the sake of a transfer; whether its record has to be saved before
    /// anything is sent of it.
    private mutating func lookedAt(
        _ id: TransferID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput],
        _ event: (inout Lane, inout TransferRecord, Bool, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let place = place(carrying: id), let session = active?.id else { return }
        let mustSave = process.store.lacks(.session(session))
        withCarrier(place, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            guard var current = transfer else { return nil }
            let need = event(&lane, &current, mustSave, &outputs)
            transfer = current
            return need
        }
    }

    mutating func received(
        _ segments: [Segment], on id: ConnectionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let place = active?.attempt?.place(on: id) else { return }
        withCarrier(place, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            lane.received(segments, &transfer, at: now, into: &outputs)
        }
    }

    mutating func taken(
        _ count: ByteCount, on id: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let session = active?.id, let place = active?.attempt?.place(on: id) else { return }
        withCarrier(place, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            let progress = lane.took(count, at: now)
            guard let transfer else { return nil }
            if let progress {
                outputs.append(
                    .callback(
                        session,
                        .progress(
                            name: transfer.source, done: progress.done, total: progress.total)))
            }
            lane.supply(transfer, into: &outputs)
            return nil
        }
    }

    /// The source was edited or taken away under the upload (error 35): the next attempt finds out
    /// what became of it.
    mutating func unreadable(
        _ id: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard active?.attempt?.place(on: id) != nil else { return }
        fail(.diskRead, in: &process, at: now, into: &outputs)
    }

    /// Lets something happen to a connection and the transfer that it carries, and gives it what it
    /// needs then.
    mutating func withCarrier(
        _ place: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput],
        _ event: (inout Lane, inout TransferRecord?, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        var transfer = attempt[place].load.map { self.transfer($0, of: current.id) }
        let need = event(&attempt[place].lane, &transfer, &outputs)
        switch (attempt[place].load, transfer) {
        case (.file(let file), let transfer?): sessions[current.id].transfers[file] = transfer
        case (.path, let transfer?): attempt[place].load = .path(transfer)
        case (nil, _), (_, nil): break
        }
        active?.phase = .running(attempt)
        guard let need else { return }
        switch attempt[place].load {
        case .path: provide(need, toPathOn: place, in: &process, at: now, into: &outputs)
        case .file, nil: provide(need, toFileOn: place, in: &process, at: now, into: &outputs)
        }
    }

    private mutating func provide(
        _ need: Lane.Need, toFileOn place: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        switch need {
        case .save(let next):
            let ticket = process.persist(.put(sessions[current.id]), into: &outputs)
            attempt[place].lane.save(ticket, then: next)
            active?.phase = .running(attempt)
        case .complete where sessions[current.id].isDownload:
            downloadIsOver(on: place, in: &process, at: now, into: &outputs)
        case .complete: completeFile(on: place, in: &process, at: now, into: &outputs)
        case .fail(let error): fail(error, in: &process, at: now, into: &outputs)
        }
    }

    mutating func completeFile(
        on place: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let current = active, var attempt = current.attempt,
            case .file(let file) = attempt[place].load
        else { return }
        sessions[current.id].transfers[file].isComplete = true
        let transfer = sessions[current.id].transfers[file]
        outputs.append(.note(.completes(transfer.id)))
        outputs.append(.callback(current.id, .didStopFile(name: transfer.source)))
        process.persist(.put(sessions[current.id]), into: &outputs)
        attempt[place].lane.clear()
        attempt[place].load = nil
        active?.phase = .running(attempt)
        beginNextFile(on: place, in: &process, at: now, into: &outputs)
    }

    func place(carrying transfer: TransferID) -> Int? {
        guard let current = active, let attempt = current.attempt else { return nil }
        return attempt.places.first { place in
            attempt[place].load.map { self.transfer($0, of: current.id).id } == transfer
        }
    }

    func transfer(_ load: Attempt.Load, of session: SessionID) -> TransferRecord {
        switch load {
        case .file(let place): sessions[session].transfers[place]
        case .path(let record): record
        }
    }
}
