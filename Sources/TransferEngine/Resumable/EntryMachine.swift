import Quantities

/// The resumable transfers of an app (behaviour K). Many run at once, each on its own connection,
/// and so may several of one object: the last to complete wins, and keeping that consistent is the
/// app's duty (K7). None is retried unless the app asks.
struct EntryMachine: Sendable {
    /// Transfers in the order in which they were made.
    var entries: [Entry] = []
    /// The final states of transfers that the app still holds.
    var ended: [EntryID: EntryState] = [:]
    var farewells: [Farewell] = []
    let platform: Platform

    /// Reached cells of the state table, if they are counted.
    var cells: StateCells<EntryState>?

    init(on platform: Platform) { self.platform = platform }

    // MARK: A launch

    mutating func restore(
        _ records: [EntryRecord], in turn: inout Turn
    ) {
        for record in records {
            entries.append(Entry(record: record, phase: .resting, isAccepted: true))
            let index = entries.count - 1
            cells?.count(record.state, .processDeath)
            guard record.state == .ongoing else {
                turn.note(.engine(.found(record.id.name, record.state.stage)))
                continue
            }
            // The app that made it may have died before it heard.
            if record.done == .zero, record.transfer.resource == nil {
                noteAcceptance(of: record, in: &turn)
            }
            move(
                index, .processDeath, because: "the process that transferred it has ended",
                in: &turn)
            turn.persist(.putEntry(entries[index].record))
        }
        turn.tell(.entriesHeld(entries.map(\.record)))
    }

    // MARK: What the app asks

    mutating func take(
        _ command: EntryCommand, in turn: inout Turn
    ) {
        switch command {
        case .transfer(let id, let request):
            transfer(id, request, in: &turn)
        case .suspend(let id):
            guard let index = permitted(.suspend, id, in: &turn) else { return }
            turn.note(.entries(.asked(id.name, .suspend)))
            suspend(index, by: .suspend, in: &turn)
        case .terminate(let id):
            guard let index = permitted(.terminate, id, in: &turn) else { return }
            accept(index, in: &turn)
            turn.note(.entries(.asked(id.name, .terminate)))
            end(
                index, by: .terminate, .ended(.kii(.terminated)), because: "the app terminates it",
                in: &turn)
        case .forget(let id): ended[id] = nil
        }
    }

    private mutating func transfer(
        _ id: EntryID, _ request: EntryRequest, in turn: inout Turn
    ) {
        if ended[id] == nil, index(of: id) == nil {
            cells?.count(.fresh, .transfer)
            return make(id, request, in: &turn)
        }
        guard let index = permitted(.transfer, id, in: &turn) else { return }
        guard !entries[index].isResuming else {
            return refuse(.error(id, .alreadyStarted), in: &turn)
        }
        turn.note(.entries(.asked(id.name, .transfer)))
        resume(index, in: &turn)
    }

    private mutating func make(
        _ id: EntryID, _ request: EntryRequest, in turn: inout Turn
    ) {
        if let refusal = request.refusal(of: id) { return refuse(refusal, in: &turn) }
        let object = request.objectPath
        let partial = PartialFile.path(of: id)
        let record = EntryRecord(
            id: id, bucket: request.bucket, account: request.account,
            isDownload: request.isDownload, path: request.path,
            transfer: TransferRecord(
                id: id.transfer, source: request.isDownload ? object : request.path,
                destination: request.isDownload ? partial : object))
        let ticket = turn.persist(.putEntry(record))
        entries.append(Entry(record: record, phase: .entering(ticket)))
    }

    /// Returns the transfer if its state permits the event; refuses the event otherwise.
    private mutating func permitted(
        _ event: EntryState.Event, _ id: EntryID, in turn: inout Turn
    ) -> Int? {
        let index = index(of: id)
        let state = index.map { entries[$0].record.state } ?? ended[id] ?? .fresh
        cells?.count(state, event)
        if case .refused(let error) = state.after(event) {
            refuse(.error(id, error), in: &turn)
            return nil
        }
        return index
    }

    func refuse(_ refusal: EntryRefusal, in turn: inout Turn) {
        turn.tell(.refused(.entry(refusal)))
    }

    // MARK: The app and its system

    /// Suspends transfers when the home or lock button is pressed (K4).
    mutating func leaveFront(in turn: inout Turn) {
        guard platform == .iOS else { return }
        // any order: each is counted by itself
        for state in ended.values { cells?.count(state, .leavesFront) }
        for index in entries.indices {
            cells?.count(entries[index].record.state, .leavesFront)
            if entries[index].isResuming {
                entries[index].phase = .resting
                let id = entries[index].record.id
                turn.tell(.entry(id, .suspended(.kii(.suspended))))
            } else if entries[index].record.state == .ongoing {
                suspend(index, by: .leavesFront, in: &turn)
            }
        }
    }

    mutating func wake(
        in turn: inout Turn
    ) {
        for index in entries.indices {
            guard case .running(let lane) = entries[index].phase, lane.deadline <= turn.now else {
                continue
            }
            fail(index, .transport(.timedOut), in: &turn)
        }
        for farewell in farewells where farewell.lane.deadline <= turn.now {
            turn.close(farewell.lane)
        }
        farewells.removeAll { $0.lane.deadline <= turn.now }
    }

    var nextDeadline: Instant? {
        let lanes = entries.compactMap { entry -> Instant? in
            if case .running(let lane) = entry.phase { lane.deadline } else { nil }
        }
        return (lanes + farewells.map(\.lane.deadline)).min()
    }

    // MARK: The store's answers

    /// Continues after the store's answer; false if the ticket belongs to something else.
    mutating func persisted(
        _ ticket: PersistTicket, in turn: inout Turn
    ) -> Bool {
        guard let index = entries.firstIndex(where: { $0.waits(for: ticket) }) else {
            return false
        }
        switch entries[index].phase {
        case .entering:
            accept(index, in: &turn)
            begin(index, in: &turn)
        case .running(let lane):
            if entries[index].isToSuspend {
                rest(index, .kii(.suspended), by: .suspend, in: &turn)
            } else {
                var lane = lane
                let need = lane.saved(
                    ticket, entries[index].record.transfer, into: &turn.wanted)
                provide(need, index, lane, in: &turn)
            }
        case .finishing: place(index, in: &turn)
        case .leaving(_, let news): leave(index, news, in: &turn)
        case .examining, .placing, .resting: break
        }
        return true
    }

    mutating func persistFailed(
        _ ticket: PersistTicket, reason: String, in turn: inout Turn
    ) -> Bool {
        guard let index = entries.firstIndex(where: { $0.waits(for: ticket) }) else {
            return false
        }
        switch entries[index].phase {
        case .entering:
            let id = entries.remove(at: index).record.id
            turn.process.store.forget(.entry(id))
            refuse(.notStored(id, reason), in: &turn)
        case .running, .finishing:
            fail(index, .transport(.cannotWriteToFile), in: &turn)
        // What is done is done: the app hears of it even if the store cannot keep it.
        case .leaving(_, let news): leave(index, news, in: &turn)
        case .examining, .placing, .resting: break
        }
        return true
    }

    // MARK: What the other files build on

    func index(of id: EntryID) -> Int? { entries.firstIndex { $0.record.id == id } }

    /// Moves a transfer along its table, and notes it.
    mutating func move(
        _ index: Int, _ event: EntryState.Event, because: String,
        in turn: inout Turn
    ) {
        let from = entries[index].record.state
        if event.isOfItsOwn { cells?.count(from, event) }
        guard case .goes(let to) = from.after(event) else { return }
        entries[index].record.state = to
        let id = entries[index].record.id
        turn.note(.engine(.moves(id.name, from: from.stage, to: to.stage, because: because)))
    }

    mutating func accept(_ index: Int, in turn: inout Turn) {
        guard !entries[index].isAccepted else { return }
        entries[index].isAccepted = true
        let record = entries[index].record
        noteAcceptance(of: record, in: &turn)
        turn.tell(.entry(record.id, .ongoing))
    }

    private func noteAcceptance(of record: EntryRecord, in turn: inout Turn) {
        let accepted = AcceptedTransfer(
            transfer: record.transfer.id.name, source: record.transfer.source,
            destination: record.isDownload ? record.path : record.transfer.destination,
            isDownload: record.isDownload)
        turn.note(.engine(.accepts(record.id.name, index: nil, [accepted])))
        turn.note(
            .engine(
                .moves(
                    record.id.name, from: .waiting, to: .running, because: "the app starts it")))
    }
}

extension EntryState.Event {
    /// Whether the event comes from the transfer's own work, rather than from the app or the
    /// system.
    fileprivate var isOfItsOwn: Bool {
        switch self {
        case .complete, .recoverableError, .otherError: true
        case .transfer, .suspend, .terminate, .leavesFront, .processDeath: false
        }
    }
}

extension Entry {
    fileprivate func waits(for ticket: PersistTicket) -> Bool {
        switch phase {
        case .entering(ticket), .finishing(ticket), .leaving(ticket, _): true
        case .running(let lane): lane.isSaving(ticket)
        case .entering, .finishing, .leaving, .examining, .placing, .resting: false
        }
    }
}

extension EntryRequest {
    fileprivate func refusal(of id: EntryID) -> EntryRefusal? {
        if !TransferID.numbersOfApps.contains(id.number) { return .numberTooLarge(id) }
        if account.host.isEmpty { return .accountWithoutHost(id) }
        if account.credentials.name.isEmpty { return .accountWithoutCredentials(id) }
        if !ContainerPath.isInside(path) { return .fileOutsideContainer(id, path) }
        let parts = objectPath.unicodeScalars.split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts.allSatisfy({ !$0.isEmpty }),
            ContainerPath.isInside(objectPath), String(parts[1]) == "buckets"
        else { return .noObject(id, objectPath) }
        return nil
    }
}
