import Content
import Quantities

/// The files of the active session, one after the other on its connection.
extension QueueMachine {
    /// Begins the next file or path on a connection that is idle.
    mutating func beginNext(on place: Int, in turn: inout Turn) {
        guard let current = active else { return }
        if sessions[current.id].isPersistent {
            beginNextPath(on: place, in: &turn)
        } else {
            beginNextFile(on: place, in: &turn)
        }
    }

    /// Begins the next file that has yet to arrive, or ends the activation.
    mutating func beginNextFile(on place: Int, in turn: inout Turn) {
        guard let current = active, var attempt = current.attempt else { return }
        let record = sessions[current.id]
        guard let file = record.transfers.firstIndex(where: \.isOpen) else {
            return finish(in: &turn)
        }
        let transfer = record.transfers[file]
        tell(.didStartFile(name: transfer.source), of: current.id, in: &turn)
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
        guard let current = active, var attempt = current.attempt else { return }
        if attempt.tally.take(event) { active?.phase = .running(attempt) }
        guard let place else { return }
        if case .connection(let stream) = event.subject,
            attempt[place].lane.opening == stream
        {
            return opens(event, on: place, in: &turn)
        }
        switch event {
        // The source was edited or removed during the upload (error 35): the next attempt finds out
        // how.
        case .unreadable(_, let found):
            forgetIfEditedUnseen(found, on: place)
            return fails(place, .diskRead, in: &turn)
        case .kept(_, nil): return fails(place, .diskWrite, in: &turn)
        case .inspected, .examined, .kept, .placed, .connected, .received, .taken, .disconnected:
            break
        }
        if let progress = attempt[place].lane.progress(by: event, at: turn.now),
            let load = attempt[place].load
        {
            if case .file(let file) = load { attempt.tally.moves(file, to: progress) }
            let name = transfer(load, of: current.id).source
            let isPersistent = sessions[current.id].isPersistent
            tell(
                .progress(
                    name: name, done: progress.done, total: progress.total,
                    ofSession: isPersistent ? nil : attempt.tally.progress),
                of: current.id, in: &turn)
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
        provide(need, on: place, in: &turn)
    }

    private mutating func provide(_ need: Lane.Need, on place: Int, in turn: inout Turn) {
        guard let current = active, var attempt = current.attempt else { return }
        switch (need, attempt[place].load) {
        case (.begin, _): connected(place, in: &turn)
        case (.lost(let why), _): disconnected(place, why, in: &turn)
        case (.told(let answer), _): told(answer, on: place, in: &turn)
        case (.rejected(let use), _): rejected(use, on: place, in: &turn)
        // A path is not stored (P4).
        case (.save(let next), .path):
            withCarrier(place, in: &turn) { lane, transfer, turn in
                transfer.flatMap { lane.perform(next, $0, into: &turn.wanted) }
            }
        case (.save(let next), _):
            let ticket = turn.persist(.put(sessions[current.id]))
            attempt[place].lane.save(ticket, then: next)
            active?.phase = .running(attempt)
        case (.complete, _) where sessions[current.id].isDownload:
            downloadIsOver(on: place, in: &turn)
        case (.complete, _): complete(place, in: &turn)
        case (.fail(let error), _): fails(place, error, in: &turn)
        }
    }

    /// Ends the file or path on a connection, which has arrived.
    mutating func complete(_ place: Int, in turn: inout Turn) {
        switch active?.attempt?[place].load {
        case .file: end(fileOn: place, { .completes($0) }, in: &turn)
        case .path: end(pathOn: place, { .completes($0) }, in: &turn)
        case nil: return
        }
        beginNext(on: place, in: &turn)
    }

    /// Handles an error of a file: in a session of several it may end that file alone (A21). A
    /// connection on which its body was broken off carries nothing more.
    mutating func fails(_ place: Int, _ error: TransferError, in turn: inout Turn) {
        guard let current = active, let lane = current.attempt?[place].lane,
            endsFileAlone(error, of: sessions[current.id])
        else { return fail(error, in: &turn) }
        if sessions[current.id].isPersistent { return giveUp(place, error, in: &turn) }
        end(fileOn: place, { .givesUp($0, error) }, failure: error, in: &turn)
        if lane.isBetweenBodies || !sessions[current.id].transfers.contains(where: \.isOpen) {
            beginNextFile(on: place, in: &turn)
        } else {
            renew(place, closing: true, in: &turn)
        }
    }

    /// Whether a session goes on without the file that has met this error.
    private func endsFileAlone(_ error: TransferError, of record: SessionRecord) -> Bool {
        guard !record.isPersistent else { return error.isOfFileAlone }
        guard record.transfers.count > 1 else { return false }
        let isLastTry = retryPolicy.pause(afterFailures: record.failures + 1) == nil
        return error.isOfFileAlone || error.isOfDisk && isLastTry
    }

    /// Ends a file that has arrived or, with its `failure`, is given up.
    private mutating func end(
        fileOn place: Int, _ fact: (TransferName) -> EngineFact, failure: TransferError? = nil,
        in turn: inout Turn
    ) {
        guard let current = active, var attempt = current.attempt,
            case .file(let file) = attempt[place].load
        else { return }
        let found = attempt[place].lane.source?.fingerprint.size
        attempt.tally.ends(file, complete: failure == nil, found: found)
        var transfer = sessions[current.id].transfers[file]
        transfer.isComplete = failure == nil
        transfer.failure = failure
        if failure == nil, transfer.fingerprint == nil {
            let size = attempt.tally.size(of: file)
            transfer.fingerprint = size.map { SourceFingerprint(size: $0, modified: 0) }
        }
        sessions[current.id].transfers[file] = transfer
        turn.note(.engine(fact(transfer.id.name)))
        tell(.didStopFile(name: transfer.source), of: current.id, in: &turn)
        turn.persist(.put(sessions[current.id]))
        attempt[place].lane.clear()
        attempt[place].load = nil
        active?.phase = .running(attempt)
    }

    /// Tells of a file. Nobody promises an app to hear of those of a persistent session (P6).
    func tell(_ callback: SessionCallback, of id: SessionID, in turn: inout Turn) {
        guard tellsOfPaths || !sessions[id].isPersistent else { return }
        turn.tell(.session(id, callback))
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
