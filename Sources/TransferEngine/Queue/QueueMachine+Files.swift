import Content
import Quantities

/// The files of the active session, one after the other on its connection.
extension QueueMachine {
    mutating func beginNextFile(
        on place: Int, in turn: inout Turn
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        let record = sessions[current.id]
        guard let file = record.transfers.firstIndex(where: { !$0.isComplete }) else {
            finish(in: &turn)
            return
        }
        let transfer = record.transfers[file]
        turn.tell(.session(current.id, .didStartFile(name: transfer.source)))
        attempt[place].lane.begin(transfer, at: turn.now, into: &turn.wanted)
        attempt[place].load = .file(file)
        active?.phase = .running(attempt)
    }

    /// Handles an event of an attempt of the active session.
    mutating func take(_ event: AttemptInput, in turn: inout Turn) {
        let place =
            switch event.subject {
            case .file(let transfer): place(carrying: transfer)
            case .connection(let connection): active?.attempt?.place(on: connection)
            }
        guard let place, let current = active, var attempt = current.attempt else { return }
        switch event {
        // The source was edited or removed during the upload (error 35): the next attempt finds out
        // how.
        case .unreadable(_, let found):
            forgetIfEditedUnseen(found, on: place)
            return fail(.diskRead, in: &turn)
        case .kept(_, nil): return fail(.diskWrite, in: &turn)
        case .inspected, .examined, .kept, .placed, .connected, .received, .taken, .disconnected:
            break
        }
        if let progress = attempt[place].lane.progress(by: event, at: turn.now),
            let load = attempt[place].load
        {
            let name = transfer(load, of: current.id).source
            turn.tell(
                .session(
                    current.id,
                    .progress(name: name, done: progress.done, total: progress.total)))
        }
        active?.phase = .running(attempt)
        let mustSave = turn.process.store.lacks(.session(current.id))
        withCarrier(place, in: &turn) { lane, transfer, turn in
            lane.take(event, &transfer, mustSave: mustSave, at: turn.now, into: &turn.wanted)
        }
    }

    /// Forgets the source of an upload that was edited under way, if the resume policy would not
    /// notice: what the server has is then never joined with the new content (S2).
    private mutating func forgetIfEditedUnseen(_ found: SourceInspection?, on place: Int) {
        guard let current = active, let carrier = current.attempt?[place],
            carrier.lane.source?.wasEditedUnseen(found) == true,
            case .file(let file) = carrier.load,
            sessions[current.id].settings.resume != .fullChecksum
        else { return }
        sessions[current.id].transfers[file].fingerprint = nil
    }

    /// Passes an event to a connection and its transfer, and gives the lane what it then needs.
    mutating func withCarrier(
        _ place: Int, in turn: inout Turn,
        _ event: (inout Lane, inout TransferRecord?, inout Turn) -> Lane.Need?
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        var transfer = attempt[place].load.map { self.transfer($0, of: current.id) }
        let need = event(&attempt[place].lane, &transfer, &turn)
        switch (attempt[place].load, transfer) {
        case (.file(let file), let transfer?): sessions[current.id].transfers[file] = transfer
        case (.path, let transfer?): attempt[place].load = .path(transfer)
        case (nil, _), (_, nil): break
        }
        active?.phase = .running(attempt)
        guard let need else { return }
        switch attempt[place].load {
        case .path: provide(need, toPathOn: place, in: &turn)
        case .file, nil: provide(need, toFileOn: place, in: &turn)
        }
    }

    private mutating func provide(
        _ need: Lane.Need, toFileOn place: Int, in turn: inout Turn
    ) {
        guard let current = active, var attempt = current.attempt else { return }
        switch need {
        case .begin: connected(place, in: &turn)
        case .lost(let why): disconnected(place, why, in: &turn)
        case .save(let next):
            let ticket = turn.persist(.put(sessions[current.id]))
            attempt[place].lane.save(ticket, then: next)
            active?.phase = .running(attempt)
        case .complete where sessions[current.id].isDownload:
            downloadIsOver(on: place, in: &turn)
        case .complete: completeFile(on: place, in: &turn)
        case .fail(let error): fail(error, in: &turn)
        }
    }

    mutating func completeFile(
        on place: Int, in turn: inout Turn
    ) {
        guard let current = active, var attempt = current.attempt,
            case .file(let file) = attempt[place].load
        else { return }
        sessions[current.id].transfers[file].isComplete = true
        let transfer = sessions[current.id].transfers[file]
        turn.note(.engine(.completes(transfer.id.name)))
        turn.tell(.session(current.id, .didStopFile(name: transfer.source)))
        turn.persist(.put(sessions[current.id]))
        attempt[place].lane.clear()
        attempt[place].load = nil
        active?.phase = .running(attempt)
        beginNextFile(on: place, in: &turn)
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
