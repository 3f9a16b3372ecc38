import Content
import Protocols
import Quantities

/// What is done for a transfer between its start and its end: its source is looked at, and its
/// chunks move.
extension EntryMachine {
    // MARK: Beginning

    /// The store has it.
    mutating func begin(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard !entries[index].isToSuspend else {
            return rest(index, .kii(.suspended), by: .suspend, in: &process, into: &outputs)
        }
        if entries[index].record.isDownload {
            connect(index, in: &process, at: now, into: &outputs)
        } else {
            examine(index, for: .start, into: &outputs)
        }
    }

    /// One that is suspended goes on. It is ongoing once its source is known to be what it was.
    mutating func resume(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let record = entries[index].record
        // Of one that may be published already nothing is sent any more.
        guard record.isDownload || record.transfer.isComplete else {
            return examine(index, for: .resume, into: &outputs)
        }
        goOn(index, in: &process, at: now, into: &outputs)
    }

    private mutating func goOn(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let id = entries[index].record.id
        move(index, .transfer, because: "the app goes on with it", into: &outputs)
        outputs.append(.entry(id, .ongoing))
        process.persist(.putEntry(entries[index].record), into: &outputs)
        if entries[index].record.isDownload, entries[index].record.transfer.isComplete {
            place(index, into: &outputs)
        } else {
            connect(index, in: &process, at: now, into: &outputs)
        }
    }

    // MARK: The source

    private mutating func examine(
        _ index: Int, for purpose: Entry.Purpose, into outputs: inout [EngineOutput]
    ) {
        entries[index].phase = .examining(purpose)
        let transfer = entries[index].record.transfer
        outputs.append(.examine(transfer.id, path: transfer.source, .whole))
    }

    mutating func examined(
        _ id: EntryID, _ examination: SourceExamination, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let index = index(of: id), case .examining(let purpose) = entries[index].phase
        else { return }
        let found = entries[index].record.compare(with: examination)
        switch (purpose, found) {
        case (_, .same(let fingerprint, let digest)):
            // A touch is no change (K5), and from now on it is known by its new date.
            entries[index].record.transfer.fingerprint = fingerprint
            entries[index].record.digest = digest
            isWhatItWas(index, purpose, in: &process, at: now, into: &outputs)
        case (.resume, .other(let error)):
            entries[index].phase = .resting
            outputs.append(.note(.entry(id, .fails(error))))
            outputs.append(.entry(id, .suspended(error)))
        case (.start, .other(let error)):
            fail(index, error, in: &process, at: now, into: &outputs)
        case (.goOn, .other(let error)), (.commit, .other(let error)):
            giveUpStaging(index, because: error, in: &process, at: now, into: &outputs)
            fail(index, error, in: &process, at: now, into: &outputs)
        }
    }

    private mutating func isWhatItWas(
        _ index: Int, _ purpose: Entry.Purpose, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        switch purpose {
        case .start, .goOn: connect(index, in: &process, at: now, into: &outputs)
        case .resume: goOn(index, in: &process, at: now, into: &outputs)
        case .commit(var lane, let step):
            entries[index].record.transfer.isComplete = true
            let ticket = process.persist(.putEntry(entries[index].record), into: &outputs)
            lane.save(ticket, then: step)
            entries[index].phase = .running(lane)
        }
    }

    /// Bytes of a source that has changed are on the server: nobody will go on with them.
    private mutating func giveUpStaging(
        _ index: Int, because error: ResumableError, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        let record = entries[index].record
        guard error == .kii(.fileChanged), record.transfer.resource != nil else { return }
        close(index, into: &outputs)
        bidFarewell(to: record, in: &process, at: now, into: &outputs)
        entries[index].record.transfer.resource = nil
        entries[index].record.done = .zero
        outputs.append(.note(.startsOver(record.transfer.id, because: "its source has changed")))
    }

    // MARK: A connection

    private mutating func connect(
        _ index: Int, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let record = entries[index].record
        outputs.append(.note(.entry(record.id, .attempt)))
        guard NetworkLimits().obstacle(in: process.network) == nil else {
            return fail(
                index, .transport(.notConnectedToInternet), in: &process, at: now,
                into: &outputs)
        }
        let connection = process.nextConnection()
        outputs.append(.connect(connection, to: record.account, by: ItemID(record.id)))
        entries[index].phase = .running(
            Lane(
                connection, to: record.account, by: record.isDownload ? .kiiBody : .kii,
                over: process.network, at: now))
    }

    mutating func connected(
        _ connection: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        if let place = farewells.firstIndex(where: { $0.lane.connection == connection }) {
            farewells[place].lane.established(at: now)
            farewells[place].lane.begin(farewells[place].request, into: &outputs)
            return
        }
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            lane.established(at: now)
            if let commit = KiiDialogue.commit(transfer), transfer.isComplete {
                lane.begin(commit, into: &outputs)
            } else {
                lane.begin(transfer, at: now, into: &outputs)
            }
            return nil
        }
    }

    mutating func inspected(
        _ id: EntryID, _ inspection: SourceInspection, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let connection = index(of: id).flatMap({ entries[$0].lane?.connection }) else {
            return
        }
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            lane.inspected(inspection, &transfer, mustSave: false, into: &outputs)
        }
    }

    mutating func received(
        _ segments: [Segment], on connection: ConnectionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        if farewells.contains(where: { $0.lane.connection == connection }) {
            // Whatever it says to that.
            outputs.append(.close(connection))
            farewells.removeAll { $0.lane.connection == connection }
            return
        }
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            var current: TransferRecord? = transfer
            let need = lane.received(segments, &current, at: now, into: &outputs)
            if let current { transfer = current }
            return need
        }
    }

    /// The app hears of whole chunks alone.
    mutating func taken(
        _ count: ByteCount, on connection: ConnectionID, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        withLane(on: connection, in: &process, at: now, into: &outputs) { lane, transfer, outputs in
            _ = lane.took(count, at: now)
            lane.supply(transfer, into: &outputs)
            return nil
        }
    }

    /// So much of a download is in its part; `nil`: it cannot be.
    mutating func kept(
        _ count: ByteCount?, of id: EntryID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        guard let index = index(of: id), var lane = entries[index].lane, lane.fetch != nil else {
            return
        }
        guard let count else {
            return fail(index, .kii(.notWritable), in: &process, at: now, into: &outputs)
        }
        let (_, need) = lane.hasKept(count)
        entries[index].phase = .running(lane)
        let chunk = KiiCall.chunk.bytes
        // The body was replaced, or the end of the part was lost with the power.
        entries[index].record.done = min(entries[index].record.done, count)
        let isNext = count.bytes / chunk > entries[index].record.done.bytes / chunk
        if isNext || need == .complete { reach(count, index, in: &process, into: &outputs) }
        if need == nil, entries[index].isToSuspend, count >= entries[index].chunkEnd {
            return rest(index, .kii(.suspended), by: .suspend, in: &process, into: &outputs)
        }
        withLane(on: lane.connection, in: &process, at: now, into: &outputs) { _, _, _ in need }
    }

    mutating func disconnected(
        _ connection: ConnectionID, _ why: Disconnection, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        farewells.removeAll { $0.lane.connection == connection }
        guard let index = index(on: connection) else { return }
        let error: TaskError = why == .timedOut ? .timedOut : .connectionLost
        fail(index, .transport(error), closing: false, in: &process, at: now, into: &outputs)
    }

    /// The source is not what it was, or is not there, or only has another date.
    mutating func unreadable(
        _ connection: ConnectionID, into outputs: inout [EngineOutput]
    ) {
        guard let index = index(on: connection) else { return }
        lookAgain(index, into: &outputs)
    }

    private mutating func lookAgain(_ index: Int, into outputs: inout [EngineOutput]) {
        close(index, into: &outputs)
        examine(index, for: .goOn, into: &outputs)
    }

    // MARK: What a lane needs

    /// Lets something happen to a lane, and gives it what it needs then.
    mutating func withLane(
        on connection: ConnectionID, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput],
        _ event: (inout Lane, inout TransferRecord, inout [EngineOutput]) -> Lane.Need?
    ) {
        guard let index = index(on: connection), case .running(var lane) = entries[index].phase
        else { return }
        let need = event(&lane, &entries[index].record.transfer, &outputs)
        entries[index].phase = .running(lane)
        switch need {
        case nil: break
        case .save(let next):
            save(index, lane, then: next, in: &process, into: &outputs)
        case .complete: isOver(index, lane, in: &process, at: now, into: &outputs)
        case .fail(.diskRead): lookAgain(index, into: &outputs)
        case .fail(let error):
            fail(index, ResumableError(error), in: &process, at: now, into: &outputs)
        }
    }

    /// Where a chunk has ended, the transfer can be suspended (K3).
    private mutating func save(
        _ index: Int, _ lane: Lane, then step: Step, in process: inout ProcessState,
        into outputs: inout [EngineOutput]
    ) {
        var lane = lane
        let record = entries[index].record
        if let done = KiiDialogue.reached(before: step, of: record.transfer) {
            reach(done, index, in: &process, into: &outputs)
        }
        if entries[index].isToSuspend {
            return rest(index, .kii(.suspended), by: .suspend, in: &process, into: &outputs)
        }
        guard !KiiDialogue.commits(step) else {
            return examine(index, for: .commit(lane, then: step), into: &outputs)
        }
        let ticket = process.persist(.putEntry(entries[index].record), into: &outputs)
        lane.save(ticket, then: step)
        entries[index].phase = .running(lane)
    }

    private mutating func reach(
        _ done: ByteCount, _ index: Int, in process: inout ProcessState,
        into outputs: inout [EngineOutput]
    ) {
        entries[index].record.done = done
        let record = entries[index].record
        guard let total = record.total, done > .zero else { return }
        outputs.append(.entry(record.id, .progress(done: done, total: total)))
        if record.isDownload { process.persist(.putEntry(record), into: &outputs) }
    }

    /// The server's last word on this attempt.
    private mutating func isOver(
        _ index: Int, _ lane: Lane, in process: inout ProcessState, at now: Instant,
        into outputs: inout [EngineOutput]
    ) {
        let record = entries[index].record
        if record.isDownload, lane.fetch != nil || record.transfer.isComplete {
            close(index, into: &outputs)
            entries[index].record.transfer.isComplete = true
            let ticket = process.persist(.putEntry(entries[index].record), into: &outputs)
            entries[index].phase = .finishing(ticket)
        } else if !record.isDownload, (200..<300).contains(lane.lastStatus) {
            end(
                index, by: .complete, .completed, because: "the server has committed it",
                in: &process, at: now, into: &outputs)
        } else {
            let error = ResumableError(status: lane.lastStatus, ofDownload: record.isDownload)
            fail(index, error, in: &process, at: now, into: &outputs)
        }
    }

    // MARK: The place of a download

    /// The target is replaced by all of it or by nothing (S1).
    mutating func place(_ index: Int, into outputs: inout [EngineOutput]) {
        let record = entries[index].record
        entries[index].phase = .placing
        outputs.append(
            .place(record.transfer.id, from: record.transfer.destination, to: record.path))
    }

    mutating func placed(
        _ id: EntryID, _ result: PlacementResult, in process: inout ProcessState,
        at now: Instant, into outputs: inout [EngineOutput]
    ) {
        guard let index = index(of: id), case .placing = entries[index].phase else { return }
        switch result {
        // Only one that was whole is ever placed: an earlier process has done it.
        case .placed, .missing:
            outputs.append(.note(.completes(entries[index].record.transfer.id)))
            end(
                index, by: .complete, .completed, because: "all of it is in its place",
                in: &process, at: now, into: &outputs)
        case .refused:
            fail(index, .kii(.notWritable), in: &process, at: now, into: &outputs)
        }
    }
}

/// What a source is, held against what its upload began with.
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
