import Quantities

/// How sessions enter the queue: directly, or after they were saved (A9, A18).
extension QueueMachine {
    mutating func enqueue(
        _ request: SessionRequest, at index: Int?, in turn: inout Turn
    ) {
        if let refusal = request.refusal ?? request.lack { return refuse(refusal, in: &turn) }
        if let id = request.draft.flatMap({ drafts[$0] }) {
            guard isSaved(id, in: &turn), hasPlace(index, in: &turn),
                let record = record(of: request, as: id, in: &turn)
            else { return }
            return enqueue(record, request.draft, at: index, in: &turn)
        }
        guard hasPlace(index, in: &turn),
            let record = newRecord(of: request, in: &turn)
        else { return }
        enqueue(record, request.draft, of: request, at: index, in: &turn)
    }

    /// Saves a session, with or without files.
    mutating func save(
        _ request: SessionRequest, in turn: inout Turn
    ) {
        if let id = request.draft.flatMap({ drafts[$0] }) {
            return edit(id, to: request, in: &turn)
        }
        if let refusal = request.refusal { return refuse(refusal, in: &turn) }
        guard var record = newRecord(of: request, in: &turn) else { return }
        record.isEnqueued = false
        keep(record, request.draft, of: request, in: &turn)
    }

    mutating func edit(
        _ id: SessionID, to request: SessionRequest, in turn: inout Turn
    ) {
        guard isSaved(id, in: &turn) else { return }
        if let refusal = request.refusal { return refuse(refusal, in: &turn) }
        guard var record = record(of: request, as: id, in: &turn)
        else { return }
        record.isEnqueued = false
        keep(record, request.draft, in: &turn)
    }

    mutating func enqueue(
        saved id: SessionID, at index: Int?, in turn: inout Turn
    ) {
        guard isSaved(id, in: &turn) else { return }
        guard let record = lastRequested(id) else { return }
        if let lack = record.lack { return refuse(lack, in: &turn) }
        guard hasPlace(index, in: &turn) else { return }
        enqueue(record, nil, at: index, in: &turn)
    }

    private mutating func enqueue(
        _ record: SessionRecord, _ draft: DraftID?, of request: SessionRequest? = nil,
        at index: Int?, in turn: inout Turn
    ) {
        var record = record
        record.isEnqueued = true
        takePlaces(&record)
        record.rank = rank(at: index, in: &turn)
        keep(record, draft, of: request, in: &turn)
    }

    /// Deletes a session, enqueued or only saved (A10).
    mutating func delete(
        _ id: SessionID, in turn: inout Turn
    ) {
        if sessions.holds(id) {
            return take(.remove, id, in: &turn)
        }
        guard isSaved(id, in: &turn) else { return }
        saved.removeAll { $0.id == id }
        entering.removeAll { $0.record.id == id }
        turn.persist(.remove(id))
        turn.tell(.saved(.sessionDeleted(id)))
    }

    /// Puts a session into the queue, or beside it, once it is durable (A9). Until then a killed
    /// app has to repeat the command. False if the ticket belongs to something else.
    mutating func enter(
        _ ticket: PersistTicket, in turn: inout Turn
    ) -> Bool {
        guard let place = entering.firstIndex(where: { $0.ticket == ticket }) else { return false }
        let (record, draft) = (entering[place].record, entering[place].draft)
        entering.remove(at: place)
        let wasSaved = saved.contains { $0.id == record.id }
        if wasSaved { saved.removeAll { $0.id == record.id } }
        guard record.isEnqueued else {
            let place = saved.firstIndex { record.id < $0.id } ?? saved.endIndex
            saved.insert(record, at: place)
            turn.tell(.saved(.session(record, from: draft)))
            return true
        }
        let index = sessions.insert(record)
        accept(record, at: index, in: &turn)
        turn.tell(.session(record.id, .row(.inserted(at: index))))
        if wasSaved || draft != nil {
            turn.tell(.saved(.enqueued(record.id, from: draft)))
        }
        if goesInFront(record.id) {
            turn.persist(.put(sessions[record.id]))
        }
        return true
    }

    /// Undoes an entry that the store refused: the session is as before, or gone.
    mutating func takeBack(
        _ entry: Entering, in turn: inout Turn
    ) {
        let id = entry.record.id
        // A later change of it may still be kept; if that is refused as well, it is undone then.
        if let later = entering.firstIndex(where: { $0.record.id == id }) {
            entering[later].request = entering[later].request ?? entry.request
            return
        }
        let isOnItsWay = turn.process.store.forget(.session(id)) || entry.wasMoved
        if let before = saved.first(where: { $0.id == id }) {
            if isOnItsWay { turn.persist(.put(before)) }
            return
        }
        if isOnItsWay { turn.persist(.remove(id)) }
        if let draft = entry.draft { drafts[draft] = nil }
        guard let request = entry.request else { return }
        refused.append(
            Refused(id: id, transfers: entry.record.transfers.map(\.id), request: request))
    }

    // MARK: Their records

    /// Returns a saved session with its last change, durable or not.
    private func lastRequested(_ id: SessionID) -> SessionRecord? {
        entering.last { $0.record.id == id }?.record ?? saved.first { $0.id == id }
    }

    private mutating func newRecord(
        of request: SessionRequest, in turn: inout Turn
    ) -> SessionRecord? {
        let place = refused.firstIndex { $0.request.isSameWork(as: request) }
        let known = place.map { refused[$0] }
        let id = known?.id ?? SessionID(lastSession.number + 1)
        guard let record = record(of: request, as: id, known?.transfers ?? [], in: &turn)
        else { return nil }
        if let place { refused.remove(at: place) }
        lastSession = max(lastSession, id)
        for deferral in deferrals.indices where id <= deferrals[deferral].lastWaiting {
            deferrals[deferral].since.insert(id)
        }
        return record
    }

    private mutating func record(
        of request: SessionRequest, as id: SessionID, _ known: [TransferID] = [],
        in turn: inout Turn
    ) -> SessionRecord? {
        guard let account = account(request.account, in: &turn)
        else { return nil }
        // Nothing of the session has begun: a file in the same place is the same transfer.
        let before = lastRequested(id)?.transfers.map(\.id) ?? known
        let transfers = request.files.enumerated().map { place, file in
            TransferRecord(
                id: place < before.count ? before[place] : turn.process.nextTransfer(),
                source: file.source, destination: file.destination)
        }
        return SessionRecord(
            id: id, account: account.account.access, accountID: account.id, state: .waiting,
            failures: 0, transfers: transfers, limits: request.limits,
            isPersistent: request.isPersistent, isDownload: request.isDownload,
            settings: request.settings)
    }

    /// Fixes the session's remote paths below its account's folder at this moment.
    private func takePlaces(_ record: inout SessionRecord) {
        if let access = record.accountID.flatMap({ accounts[$0] })?.access {
            record.account = access
        }
        for place in record.transfers.indices {
            if record.isDownload {
                record.transfers[place].source = path(
                    record.transfers[place].source, of: record)
            } else {
                record.transfers[place].destination = path(
                    record.transfers[place].destination, of: record)
            }
        }
    }

    private mutating func keep(
        _ record: SessionRecord, _ draft: DraftID?, of request: SessionRequest? = nil,
        in turn: inout Turn
    ) {
        if let draft { drafts[draft] = record.id }
        let ticket = turn.persist(.put(record))
        entering.append(
            Entering(ticket: ticket, record: record, draft: draft, request: request))
    }

    // MARK: What it is refused for

    private func hasPlace(_ index: Int?, in turn: inout Turn) -> Bool {
        guard let index, !(0...countWithEntering).contains(index) else { return true }
        refuse(.noSuchPlace(index, count: countWithEntering), in: &turn)
        return false
    }

    /// Whether the session is saved, and neither enqueued nor about to be.
    private func isSaved(_ id: SessionID, in turn: inout Turn) -> Bool {
        let isComing = entering.contains { $0.record.id == id && $0.record.isEnqueued }
        if isComing || sessions.holds(id) {
            refuse(.alreadyEnqueued(id), in: &turn)
            return false
        }
        guard (saved + entering.map(\.record)).contains(where: { $0.id == id }) else {
            refuse(.noSuchSession(id), in: &turn)
            return false
        }
        return true
    }
}

extension SessionRequest {
    /// Whether both are for the same transfers.
    fileprivate func isSameWork(as other: SessionRequest) -> Bool {
        files == other.files && isDownload == other.isDownload
            && isPersistent == other.isPersistent
    }

    /// What is wrong with the session, whatever is done with it (A13).
    fileprivate var refusal: QueueRefusal? {
        if case .like(let account) = account, let refusal = account.refusal { return refusal }
        if let refusal = settings.rate.refusal { return .rates(refusal) }
        if isPersistent { return files.isEmpty ? nil : .filesOfPersistent }
        for file in files {
            if !ContainerPath.isInside(file.source) {
                return isDownload
                    ? .sourceOutsideDocroot(file.source) : .sourceOutsideContainer(file.source)
            }
            if !ContainerPath.isInside(file.destination) {
                return isDownload
                    ? .destinationOutsideContainer(file.destination)
                    : .destinationOutsideDocroot(file.destination)
            }
        }
        return nil
    }

    /// What the session lacks before the queue takes it (A18).
    fileprivate var lack: QueueRefusal? { !isPersistent && files.isEmpty ? .noFiles : nil }
}

extension SessionRecord {
    fileprivate var lack: QueueRefusal? { !isPersistent && transfers.isEmpty ? .noFiles : nil }
}
