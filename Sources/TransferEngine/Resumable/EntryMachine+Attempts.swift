import Content
import Protocols
import Quantities

/// Attempts of a transfer between its start and its end: its source is examined, and its chunks
/// move.
extension EntryMachine {
    // MARK: Beginning

    /// Begins a transfer that the store has.
    mutating func begin(
        _ index: Int, in turn: inout Turn
    ) {
        guard !entries[index].isToSuspend else {
            return rest(index, .kii(.suspended), by: .suspend, in: &turn)
        }
        if entries[index].record.isDownload {
            connect(index, in: &turn)
        } else {
            examine(index, for: .start, in: &turn)
        }
    }

    /// Continues a suspended transfer, which is ongoing once its source is known to be unchanged.
    mutating func resume(
        _ index: Int, in turn: inout Turn
    ) {
        let record = entries[index].record
        // Nothing more is sent of a transfer that may be published already.
        guard record.isDownload || record.transfer.isComplete else {
            return examine(index, for: .resume, in: &turn)
        }
        goOn(index, in: &turn)
    }

    private mutating func goOn(
        _ index: Int, in turn: inout Turn
    ) {
        let id = entries[index].record.id
        move(index, .transfer, because: "the app goes on with it", in: &turn)
        turn.tell(.entry(id, .ongoing))
        turn.persist(.putEntry(entries[index].record))
        if entries[index].record.isDownload, entries[index].record.transfer.isComplete {
            place(index, in: &turn)
        } else {
            connect(index, in: &turn)
        }
    }

    // MARK: The source

    private mutating func examine(
        _ index: Int, for purpose: Entry.Purpose, in turn: inout Turn
    ) {
        entries[index].phase = .examining(purpose)
        let transfer = entries[index].record.transfer
        turn.wanted.append(.examine(transfer.id, path: transfer.source, .whole))
    }

    private mutating func examined(
        _ index: Int, _ examination: SourceExamination, in turn: inout Turn
    ) {
        guard case .examining(let purpose) = entries[index].phase else { return }
        let id = entries[index].record.id
        let found = entries[index].record.compare(with: examination)
        switch (purpose, found) {
        case (_, .same(let fingerprint, let digest)):
            // A touch is no change (K5); the upload takes on the file's new date.
            entries[index].record.transfer.fingerprint = fingerprint.lasting
            entries[index].record.digest = digest
            entries[index].compared = fingerprint
            isWhatItWas(index, purpose, in: &turn)
        case (.resume, .other(let error)):
            entries[index].phase = .resting
            turn.note(.engine(.fails(id.name, error)))
            turn.tell(.entry(id, .suspended(error)))
        case (.start, .other(let error)):
            fail(index, error, in: &turn)
        case (.goOn, .other(let error)), (.commit, .other(let error)):
            giveUpStaging(index, because: error, in: &turn)
            fail(index, error, in: &turn)
        }
    }

    private mutating func isWhatItWas(
        _ index: Int, _ purpose: Entry.Purpose, in turn: inout Turn
    ) {
        switch purpose {
        case .start, .goOn: connect(index, in: &turn)
        case .resume: goOn(index, in: &turn)
        case .commit(var lane, let step):
            entries[index].record.transfer.isComplete = true
            let ticket = turn.persist(.putEntry(entries[index].record))
            lane.save(ticket, then: step)
            entries[index].phase = .running(lane)
        }
    }

    /// Discards an upload on the server if its source has changed: nobody will continue it.
    private mutating func giveUpStaging(
        _ index: Int, because error: ResumableError, in turn: inout Turn
    ) {
        let record = entries[index].record
        guard error == .kii(.fileChanged), record.transfer.resource != nil else { return }
        close(index, in: &turn)
        bidFarewell(to: record, in: &turn)
        entries[index].record.transfer.resource = nil
        entries[index].record.done = .zero
        turn.note(.engine(.startsOver(record.transfer.id.name, because: "its source has changed")))
    }

    // MARK: A connection

    mutating func connect(
        _ index: Int, in turn: inout Turn
    ) {
        let record = entries[index].record
        turn.note(.engine(.attempt(record.id.name, number: 1)))
        guard NetworkLimits().obstacle(in: turn.process.network) == nil else {
            return fail(
                index, .transport(.notConnectedToInternet), in: &turn)
        }
        let connection = turn.connect(to: record.account, for: record.id.name)
        entries[index].phase = .running(
            Lane(
                connection, to: record.account, by: record.isDownload ? .kiiBody : .kii,
                over: turn.process.network, at: turn.now))
    }

    // MARK: What happens to it

    /// Handles an event of an entry's attempt, or of a farewell's connection.
    mutating func take(_ event: AttemptInput, of id: EntryID, in turn: inout Turn) {
        if case .connection(let connection) = event.subject,
            let place = farewells.firstIndex(where: { $0.lane.connection == connection })
        {
            return takeFarewell(event, place, in: &turn)
        }
        guard let index = index(of: id) else { return }
        switch event {
        case .examined(_, let examination): examined(index, examination, in: &turn)
        case .placed(_, let result): placed(index, result, in: &turn)
        case .kept(_, let count): kept(count, index, event, in: &turn)
        case .inspected, .connected, .received, .taken, .disconnected, .unreadable:
            pass(event, index, in: &turn)
        }
    }

    private mutating func takeFarewell(
        _ event: AttemptInput, _ place: Int, in turn: inout Turn
    ) {
        var transfer: TransferRecord?
        switch event {
        case .connected:
            let account = farewells[place].account
            guard let identity = turn.process.credentials.identity(by: account.credentials),
                identity != .awaited
            else { return turn.close(farewells.remove(at: place).lane.connection) }
            _ = farewells[place].lane.take(event, &transfer, at: turn.now, into: &turn.wanted)
            farewells[place].lane.identity = identity
            farewells[place].lane.begin(farewells[place].request, into: &turn.wanted)
        // Any answer will do.
        case .received: turn.close(farewells.remove(at: place).lane.connection)
        case .disconnected: farewells.remove(at: place)
        case .inspected, .examined, .kept, .placed, .taken, .unreadable: break
        }
    }

    /// Notes the length of a download's part; `nil` if it cannot be written.
    private mutating func kept(
        _ count: ByteCount?, _ index: Int, _ event: AttemptInput, in turn: inout Turn
    ) {
        guard let lane = entries[index].lane, let fetch = lane.fetch else { return }
        guard let count else { return fail(index, .kii(.notWritable), in: &turn) }
        let isWhole = fetch.isComplete(with: count)
        let chunk = KiiCall.chunk.bytes
        // The body was replaced, or the end of the part was lost with the power.
        entries[index].record.done = min(entries[index].record.done, count)
        let isNext = count.bytes / chunk > entries[index].record.done.bytes / chunk
        if isNext || isWhole { reach(count, index, in: &turn) }
        if !isWhole, entries[index].isToSuspend, count >= entries[index].chunkEnd {
            return rest(index, .kii(.suspended), by: .suspend, in: &turn)
        }
        pass(event, index, in: &turn)
    }

    private mutating func lookAgain(_ index: Int, in turn: inout Turn) {
        close(index, in: &turn)
        examine(index, for: .goOn, in: &turn)
    }

    // MARK: What a lane needs

    /// Passes an event to a lane, and gives the lane what it then needs. The app hears of whole
    /// chunks only.
    private mutating func pass(_ event: AttemptInput, _ index: Int, in turn: inout Turn) {
        guard var lane = entries[index].lane else { return }
        if case .disconnected(_, let why) = event { return lost(index, why, in: &turn) }
        if case .unreadable = event { return lookAgain(index, in: &turn) }
        if hasChanged(entries[index], in: event) { return lookAgain(index, in: &turn) }
        guard case .running = entries[index].phase else { return }
        _ = lane.progress(by: event, at: turn.now)
        var transfer: TransferRecord? = entries[index].record.transfer
        let need = lane.take(event, &transfer, at: turn.now, into: &turn.wanted)
        if let transfer { entries[index].record.transfer = transfer }
        provide(need, index, lane, in: &turn)
    }

    /// Whether a source has changed since its content was compared, maybe with its date put back.
    private func hasChanged(_ entry: Entry, in event: AttemptInput) -> Bool {
        guard case .inspected(_, .regularFile(let source)) = event else { return false }
        return !entry.record.isDownload && source != entry.compared
    }

    mutating func provide(_ need: Lane.Need?, _ index: Int, _ lane: Lane, in turn: inout Turn) {
        entries[index].phase = .running(lane)
        switch need {
        case nil: break
        case .begin: begin(index, lane, in: &turn)
        case .rejected(let use): rejected(use, on: lane, of: index, in: &turn)
        case .told: preconditionFailure("a resumable transfer does not introduce itself")
        case .save(let next): save(index, lane, then: next, in: &turn)
        case .complete: isOver(index, lane, in: &turn)
        case .fail(.diskRead): lookAgain(index, in: &turn)
        case .fail(let error): fail(index, ResumableError(error), in: &turn)
        case .lost(let why): lost(index, why, in: &turn)
        }
    }

    /// Continues or commits the upload on an open connection, unless it has to wait for its
    /// credential.
    mutating func begin(_ index: Int, _ lane: Lane, in turn: inout Turn) {
        var lane = lane
        guard let identity = turn.identity(of: entries[index].record.account) else {
            return fail(index, .transport(.userAuthenticationRequired), in: &turn)
        }
        lane.identity = identity
        guard identity != .awaited else { return entries[index].phase = .running(lane) }
        let transfer = entries[index].record.transfer
        if let commit = KiiDialogue.commit(transfer), transfer.isComplete {
            lane.begin(commit, into: &turn.wanted)
        } else {
            lane.begin(transfer, at: turn.now, into: &turn.wanted)
        }
        entries[index].phase = .running(lane)
    }

    private mutating func lost(_ index: Int, _ why: Disconnection, in turn: inout Turn) {
        fail(index, .transport(TaskError(why)), closing: false, in: &turn)
    }

    /// Saves the end of a chunk, where the transfer can be suspended (K3).
    private mutating func save(
        _ index: Int, _ lane: Lane, then step: Step, in turn: inout Turn
    ) {
        var lane = lane
        let record = entries[index].record
        if let done = KiiDialogue.reached(before: step, of: record.transfer) {
            reach(done, index, in: &turn)
        }
        if entries[index].isToSuspend {
            return rest(index, .kii(.suspended), by: .suspend, in: &turn)
        }
        guard !KiiDialogue.commits(step) else {
            return examine(index, for: .commit(lane, then: step), in: &turn)
        }
        let ticket = turn.persist(.putEntry(entries[index].record))
        lane.save(ticket, then: step)
        entries[index].phase = .running(lane)
    }

    private mutating func reach(
        _ done: ByteCount, _ index: Int, in turn: inout Turn
    ) {
        entries[index].record.done = done
        let record = entries[index].record
        guard let total = record.total, done > .zero else { return }
        turn.tell(.entry(record.id, .progress(done: done, total: total)))
        if record.isDownload { turn.persist(.putEntry(record)) }
    }

    /// Ends the attempt with the server's last answer.
    private mutating func isOver(
        _ index: Int, _ lane: Lane, in turn: inout Turn
    ) {
        let record = entries[index].record
        if record.isDownload, lane.fetch != nil || record.transfer.isComplete {
            close(index, in: &turn)
            entries[index].record.transfer.isComplete = true
            let ticket = turn.persist(.putEntry(entries[index].record))
            entries[index].phase = .finishing(ticket)
        } else if !record.isDownload, (200..<300).contains(lane.lastStatus) {
            end(
                index, by: .complete, .completed, because: "the server has committed it",
                in: &turn)
        } else {
            let error = ResumableError(status: lane.lastStatus, ofDownload: record.isDownload)
            fail(index, error, in: &turn)
        }
    }

    // MARK: The place of a download

    /// Replaces the target with the complete download, or not at all (S1).
    mutating func place(_ index: Int, in turn: inout Turn) {
        let record = entries[index].record
        entries[index].phase = .placing
        turn.wanted.append(
            .place(record.transfer.id, from: record.transfer.destination, to: record.path))
    }

    private mutating func placed(_ index: Int, _ result: PlacementResult, in turn: inout Turn) {
        guard case .placing = entries[index].phase else { return }
        switch result {
        // If the part is missing, an earlier process has moved it: only complete parts are moved.
        case .placed, .missing:
            turn.note(.engine(.completes(entries[index].record.transfer.id.name)))
            end(
                index, by: .complete, .completed, because: "all of it is in its place",
                in: &turn)
        case .refused:
            fail(index, .kii(.notWritable), in: &turn)
        }
    }
}

/// The result of comparing a source with its state when the upload began.
private enum Comparison {
    case same(SourceFingerprint, digest: UInt64)
    case other(ResumableError)
}

extension EntryRecord {
    fileprivate func compare(with examination: SourceExamination) -> Comparison {
        switch examination {
        case .missing: .other(.kii(.noFile))
        case .notARegularFile: .other(.kii(.isDirectory))
        case .unreadable: .other(.transport(.noPermissionsToReadFile))
        case .regularFile(let fingerprint, let digest):
            if let known = self.digest {
                known == digest && transfer.fingerprint?.size == fingerprint.size
                    ? .same(fingerprint, digest: digest) : .other(.kii(.fileChanged))
            } else if fingerprint.size == .zero {
                .other(.kii(.emptyFile))
            } else {
                .same(fingerprint, digest: digest)
            }
        }
    }
}
