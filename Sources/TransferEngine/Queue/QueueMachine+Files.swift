import Content
import Quantities

/// The files of the active session, one after the other on its connection.
extension QueueMachine {
    /// Begins the next file or path on a connection that is idle.
    mutating func beginNext(on place: Int, in turn: inout Turn) {
        guard let id = active?.id else { return }
        if sessions[id].isPersistent {
            beginNextPath(on: place, in: &turn)
        } else {
            beginNextFile(on: place, in: &turn)
        }
    }

    /// Begins the next file that has yet to arrive, or ends the activation.
    mutating func beginNextFile(on place: Int, in turn: inout Turn) {
        guard let id = active?.id, active?.attempt != nil else { return }
        guard let file = sessions[id].transfers.firstIndex(where: \.isOpen) else {
            return finish(in: &turn)
        }
        let transfer = sessions[id].transfers[file]
        tell(.didStartFile(name: transfer.source), of: id, in: &turn)
        active?.attempt?[place].lane.begin(transfer, at: turn.now, into: &turn.wanted)
        active?.attempt?[place].load = .file(file)
    }

    /// Handles an event of an attempt of the active session.
    mutating func take(_ event: AttemptInput, in turn: inout Turn) {
        let place =
            switch event.subject {
            case .file(let transfer): place(carrying: transfer)
            case .connection(let connection): active?.attempt?.place(on: connection)
            }
        active?.attempt?.tally.take(event)
        guard let id = active?.id, let place else { return }
        if case .connection(let stream) = event.subject,
            active?.attempt?[place].lane.opening == stream
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
        noteProgress(by: event, on: place, in: &turn)
        let mustSave = turn.process.store.lacks(.session(id))
        withCarrier(place, in: &turn) { lane, transfer, turn in
            lane.take(event, &transfer, mustSave: mustSave, at: turn.now, into: &turn.wanted)
        }
    }

    private mutating func noteProgress(
        by event: AttemptInput, on place: Int, in turn: inout Turn
    ) {
        let progress = active?.attempt?.with(place) {
            $0.lane.progress(by: event, at: turn.now)
        }
        guard let id = active?.id, let progress = progress ?? nil,
            let load = active?.attempt?[place].load
        else { return }
        if case .file(let file) = load { active?.attempt?.tally.moves(file, to: progress) }
        tell(
            .progress(
                name: transfer(load, of: id).source, done: progress.done, total: progress.total,
                ofSession: sessions[id].isPersistent ? nil : active?.attempt?.tally.progress),
            of: id, in: &turn)
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
        guard let id = active?.id, active?.attempt != nil else { return }
        let load = active?.attempt?[place].load
        var transfer = load.map { self.transfer($0, of: id) }
        let need = active?.attempt?.with(place) { event(&$0.lane, &transfer, &turn) }
        switch (load, transfer) {
        case (.file(let file), let transfer?): sessions[id].transfers[file] = transfer
        case (.path, let transfer?): active?.attempt?[place].load = .path(transfer)
        case (nil, _), (_, nil): break
        }
        guard let need = need ?? nil else { return }
        provide(need, on: place, in: &turn)
    }

    private mutating func provide(_ need: Lane.Need, on place: Int, in turn: inout Turn) {
        guard let id = active?.id, active?.attempt != nil else { return }
        switch (need, active?.attempt?[place].load) {
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
            let ticket = turn.persist(.put(sessions[id]))
            active?.attempt?[place].lane.save(ticket, then: next)
        case (.complete, _) where sessions[id].isDownload:
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
        guard let id = active?.id, let carrier = active?.attempt?[place],
            case .file(let file) = carrier.load
        else { return }
        let found = carrier.lane.source?.fingerprint.size
        active?.attempt?.tally.ends(file, complete: failure == nil, found: found)
        var transfer = sessions[id].transfers[file]
        transfer.isComplete = failure == nil
        transfer.failure = failure
        if failure == nil, transfer.fingerprint == nil {
            let size = active?.attempt?.tally.size(of: file)
            transfer.fingerprint = size.map { SourceFingerprint(size: $0, modified: 0) }
        }
        sessions[id].transfers[file] = transfer
        turn.note(.engine(fact(transfer.id.name)))
        tell(.didStopFile(name: transfer.source), of: id, in: &turn)
        turn.persist(.put(sessions[id]))
        active?.attempt?[place].clear()
    }

    /// Tells of a file. Nobody promises an app to hear of those of a persistent session (P6).
    func tell(_ callback: SessionCallback, of id: SessionID, in turn: inout Turn) {
        guard tellsOfPaths || !sessions[id].isPersistent else { return }
        turn.tell(.session(id, callback))
    }

    func place(carrying transfer: TransferID) -> Int? {
        guard let id = active?.id else { return nil }
        return active?.attempt?.place { load in
            switch load {
            case .file(let place): sessions[id].transfers[place].id == transfer
            case .path(let record): record.id == transfer
            }
        }
    }

    func transfer(_ load: Attempt.Load, of session: SessionID) -> TransferRecord {
        switch load {
        case .file(let place): sessions[session].transfers[place]
        case .path(let record): record
        }
    }
}
