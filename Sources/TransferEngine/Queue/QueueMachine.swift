import Quantities

/// The transfer queue (behaviour A): its sessions in their order, and the one whose turn it is.
///
///     stopped ──▶ running ──▶ stopping ──▶ stopped
///
/// It is *stopping* while the session that was active ends (A8).
struct QueueMachine: Sendable {
    var sessions = SessionTable()
    var mode = Mode.stopped
    var active: ActiveSession?
    /// Those whose turn comes before any other's, the last one first: the app wants them run, or
    /// they were interrupted.
    var line: [SessionID] = []
    /// The app has stopped these, the first one first.
    var deferrals: [Deferral] = []
    /// Interrupted while an error was being slept off: an attempt comes no sooner for that (S10).
    var rests: [SessionID: Instant] = [:]
    /// The session that waits for another network, as it was said last.
    var notedWait: NetworkWait?
    let retryPolicy: RetryPolicy
    /// Counted where somebody asks for it.
    var cells: Cells?
    var lastSession = SessionID(0)
    /// Handed to the store, not yet promised by it: no part of the queue so far.
    var entering: [Entering] = []
    var accounts = AccountTable()
    /// Sessions that their app has saved and that are in no queue, in the order of their numbers.
    var saved: [SessionRecord] = []
    /// What became of those that their app has called so in this launch.
    var drafts: [DraftID: SessionID] = [:]

    enum Mode: Hashable, Sendable { case stopped, running, stopping }

    /// A session that has its turn again when all others that waited have had theirs (A5).
    struct Deferral: Hashable, Sendable {
        var id: SessionID
        /// Those that waited are among the sessions up to this one.
        var lastWaiting: SessionID
        var notBefore: Instant
    }

    /// A session on its way into the store, to be in the queue or beside it then.
    struct Entering: Hashable, Sendable {
        let ticket: PersistTicket
        var record: SessionRecord
        var draft: DraftID?
        /// The store was asked once more for it, with another place.
        var wasMoved = false
    }

    struct Cells: Hashable, Sendable {
        var sessions = StateCells<SessionState>()
        var persistent = StateCells<SessionState>()
    }

    init(retryPolicy: RetryPolicy) { self.retryPolicy = retryPolicy }

    // MARK: A launch

    mutating func restore(
        _ records: [SessionRecord], _ accounts: [AccountRecord], in turn: inout Turn
    ) {
        self.accounts = AccountTable(accounts)
        let records = withAccounts(records, in: &turn)
        sessions = SessionTable(records.filter(\.isEnqueued))
        saved = records.filter { !$0.isEnqueued }.sorted { $0.id < $1.id }
        if !saved.isEmpty || !self.accounts.records.isEmpty {
            turn.tell(.saved(.holds(self.accounts.records, saved)))
        }
        lastSession = records.map(\.id).max() ?? SessionID(0)
        if sessions.count > 0 { turn.tell(.queueHolds(Array(sessions.ids))) }
        countCells(of: .relaunch)
        for (index, id) in sessions.ids.enumerated() {
            if sessions[id].neverRan { accept(id, at: index, in: &turn) }
            let state = sessions[id].state
            if state.after(.relaunch) == .nothing {
                turn.note(.engine(.found(id.name, state.stage)))
            }
        }
        for id in Array(sessions.ids) {
            move(id, .relaunch, because: "the app was launched again", in: &turn)
        }
        line = records.filter { $0.precedence > 0 }.sorted { $0.precedence < $1.precedence }.map(
            \.id)
    }

    // MARK: The sessions of the queue

    /// Numbers of sessions that were lost with a damaged store: somebody may know them by these.
    mutating func skip(_ lost: [SessionID], _ accounts: [AccountID]) {
        lastSession = max(lastSession, lost.max() ?? lastSession)
        self.accounts.skip(accounts)
    }

    mutating func reorder(
        from: Int, to: Int, in turn: inout Turn
    ) {
        for index in [from, to] where !(0..<sessions.count).contains(index) {
            return refuse(.noSuchIndex(index, count: sessions.count), in: &turn)
        }
        guard from != to else { return }
        let id = sessions.id(at: from)
        var record = sessions[id]
        sessions.remove(id)
        record.rank = makeRoom(at: to, in: &turn)
        sessions.insert(record)
        turn.note(.queue(.reordered(id.name, from: from, to: to)))
        // Its place and its turn are one change: a crash leaves both or none.
        _ = goesInFront(id)
        turn.persist(.put(sessions[id]))
        turn.tell(.session(id, .row(.moved(from: from, to: to))))
    }

    /// What is put in front of the session with which a queue that stands would go on comes before
    /// it (A8); whether it was, and the store has to hear of it.
    mutating func goesInFront(_ id: SessionID) -> Bool {
        guard mode == .stopped, sessions[id].state == .waiting, let next = line.last, next != id,
            sessions.index(of: id) < sessions.index(of: next)
        else { return false }
        leaveLine(id)
        joinLine(id)
        return true
    }

    /// Deletes it (A10).
    mutating func remove(
        _ id: SessionID, in turn: inout Turn
    ) {
        leaveLine(id)
        rests[id] = nil
        discardDownloads(of: id, in: &turn)
        let index = sessions.remove(id)
        turn.persist(.remove(id))
        turn.tell(.session(id, .row(.removed(at: index))))
    }

    /// Behind all others, also those that the store has yet to promise.
    var nextRank: Int64 {
        let last = entering.map(\.record).filter(\.isEnqueued).map(\.rank).max() ?? .min
        let rank = sessions.rank(at: sessions.count) ?? 0
        return max(rank, last == .min ? rank : last + SessionRecord.rankStep)
    }

    /// A rank between the two that meet at this index, for which all others may have to move on.
    mutating func makeRoom(
        at index: Int, in turn: inout Turn
    ) -> Int64 {
        if let rank = sessions.rank(at: index) { return rank }
        let places = entering.map { sessions.place(of: $0.record) }
        sessions.rankAnew()
        for id in sessions.ids { turn.persist(.put(sessions[id])) }
        for (entry, place) in zip(entering.indices, places)
        where entering[entry].record.isEnqueued {
            entering[entry].record.rank = newRank(at: place)
            entering[entry].wasMoved = true
            turn.persist(.put(entering[entry].record))
        }
        return newRank(at: index)
    }

    private func newRank(at index: Int) -> Int64 {
        guard let rank = sessions.rank(at: index) else {
            preconditionFailure("there is no room between new ranks")
        }
        return rank
    }

    // MARK: The store's answers

    mutating func persisted(
        _ ticket: PersistTicket, in turn: inout Turn
    ) {
        if enter(ticket, in: &turn) { return }
        if let outcome = accounts.persisted(ticket) { return tell(outcome, in: &turn) }
        guard let current = active else { return }
        switch current.phase {
        case .running(let attempt):
            guard let place = attempt.place(saving: ticket) else { return }
            withCarrier(place, in: &turn) { lane, transfer, turn in
                guard let transfer else { return nil }
                return lane.saved(ticket, transfer, into: &turn.wanted)
            }
        case .settling(ticket, let result): deactivate(current.id, result, in: &turn)
        case .settling, .pausing, .waitingForNetwork, .paused: break
        }
    }

    mutating func persistFailed(
        _ ticket: PersistTicket, reason: String, in turn: inout Turn
    ) {
        if let place = entering.firstIndex(where: { $0.ticket == ticket }) {
            let entry = entering.remove(at: place)
            refuse(.notStored(reason), in: &turn)
            takeBack(entry, in: &turn)
        } else if accountNotStored(ticket, in: &turn) {
            refuse(.accountNotStored(reason), in: &turn)
        }
        guard let current = active else { return }
        switch current.phase {
        case .running(let attempt) where attempt.place(saving: ticket) != nil:
            fail(.diskWrite, in: &turn)
        // What is done is done: the app hears it even if the store cannot keep it.
        case .settling(ticket, let result): deactivate(current.id, result, in: &turn)
        case .running, .settling, .pausing, .waitingForNetwork, .paused: break
        }
    }

    func accept(_ id: SessionID, at index: Int, in turn: inout Turn) {
        let record = sessions[id]
        turn.note(
            .engine(
                .accepts(
                    record.id.name, index: index,
                    record.transfers.map {
                        AcceptedTransfer($0, isDownload: record.isDownload)
                    })))
        if let account = record.accountID {
            turn.note(.queue(.saved(.belongs(record.id.name, to: account.name))))
        }
        if record.isPersistent { turn.note(.engine(.isPersistent(record.id.name))) }
        if !record.limits.isEmpty { turn.note(.engine(.isLimited(record.id.name, record.limits))) }
        if record.settings != TransferSettings() {
            turn.note(.engine(.goesBy(record.id.name, record.settings)))
        }
    }

    // MARK: What the other files of the queue build on

    func refuse(_ refusal: QueueRefusal, in turn: inout Turn) {
        turn.tell(.refused(.queue(refusal)))
    }

    /// Moves a session along its state table, and says so.
    mutating func move(
        _ id: SessionID, _ event: SessionState.Event, because: String,
        in turn: inout Turn
    ) {
        let from = sessions[id].state
        if event.isOfOneSession { countCell(of: id, event) }
        guard case .goes(let to) = from.after(event) else { return }
        sessions[id].state = to
        if to == .waiting { sessions.startsWaiting(id) }
        turn.note(.engine(.moves(id.name, from: from.stage, to: to.stage, because: because)))
        turn.tell(.session(id, .row(.updated(at: sessions.index(of: id)))))
    }

    mutating func countCell(of id: SessionID, _ event: SessionState.Event) {
        guard cells != nil else { return }
        if sessions[id].isPersistent {
            cells?.persistent.count(sessions[id].state, event)
        } else {
            cells?.sessions.count(sessions[id].state, event)
        }
    }

    /// What reaches all of them, or all others.
    mutating func countCells(of event: SessionState.Event, but one: SessionID? = nil) {
        guard cells != nil else { return }
        for id in Array(sessions.ids) where id != one { countCell(of: id, event) }
    }

    /// Nothing holds it in front of others, or back, any more.
    mutating func leaveLine(_ id: SessionID) {
        line.removeAll { $0 == id }
        deferrals.removeAll { $0.id == id }
    }

    /// Something would stand still if the app did.
    mutating func hasWork(_ background: BackgroundWork) -> Bool {
        switch active?.phase {
        case .running, .pausing, .waitingForNetwork, .settling: return true
        case .paused: return !entering.isEmpty
        case nil:
            return !entering.isEmpty || mode == .running && !background.isTimeUp && hasTurnsToGive
        }
    }

    private var hasTurnsToGive: Bool {
        mutating get { !line.isEmpty || sessions.firstWaiting { _ in true } != nil }
    }

    /// A turn that has come and could not be taken is for something else to bring about than time.
    func nextDeadline(after now: Instant) -> Instant? {
        switch active?.phase {
        case .pausing(let until): return until
        case .running(let attempt): return attempt.deadline
        case .waitingForNetwork, .settling, .paused: return nil
        case nil:
            guard mode == .running, line.isEmpty else { return nil }
            return deferrals.first.flatMap { $0.notBefore > now ? $0.notBefore : nil }
        }
    }
}

extension SessionState.Event {
    /// It comes from its own transfers, or is its turn; the others are wishes of the app, or reach
    /// several.
    fileprivate var isOfOneSession: Bool {
        switch self {
        case .itsTurn, .finished, .retryableError, .fatalError, .networkLost, .pauseOver: true
        case .run, .runOther, .cancel, .stop, .pause, .resume, .remove, .queueStops, .expiry,
            .relaunch:
            false
        }
    }
}
