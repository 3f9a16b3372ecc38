import Quantities

/// The transfer queue (behaviour A): its sessions in order, and the active one.
///
///     stopped ──▶ running ──▶ stopping ──▶ stopped
///
/// A queue is *stopping* while its active session ends (A8).
struct QueueMachine: Sendable {
    var sessions = SessionTable()
    var mode = Mode.stopped
    var active: ActiveSession?
    /// Sessions that come before all others, the next one last: to be run by hand, or interrupted.
    var line: [SessionID] = []
    /// Sessions that the app has stopped, oldest first.
    var deferrals: [Deferral] = []
    /// Ends of back-offs that were interrupted: no attempt begins sooner because of that (S10).
    var rests: [SessionID: Instant] = [:]
    /// The wait for a network that was noted last.
    var notedWait: NetworkWait?
    let retryPolicy: RetryPolicy
    /// Whether the app hears of the files of persistent sessions, which is not promised (P6).
    let tellsOfPaths: Bool
    /// Reached cells of the state table, if they are counted.
    var cells: Cells?
    var lastSession = SessionID(0)
    /// Sessions that the store has yet to keep. They are no part of the queue.
    var entering: [Entering] = []
    var refused: [Refused] = []
    var accounts = AccountTable()
    /// Saved sessions that are in no queue, ordered by number.
    var saved: [SessionRecord] = []
    /// The sessions of this launch's drafts.
    var drafts: [DraftID: SessionID] = [:]

    enum Mode: Hashable, Sendable { case stopped, running, stopping }

    /// A stopped session, which waits until all that waited then have had their turn (A5).
    struct Deferral: Hashable, Sendable {
        let id: SessionID
        /// The last session that existed then.
        let lastWaiting: SessionID
        let notBefore: Instant
        /// Sessions with a lower number that were accepted since.
        var since: Set<SessionID> = []
    }

    /// A session that becomes part of the queue, or a saved one, once the store has it.
    struct Entering: Hashable, Sendable {
        let ticket: PersistTicket
        var record: SessionRecord
        let draft: DraftID?
        /// The app's request for a new session.
        var request: SessionRequest?
        /// Whether the store was asked again, with another place.
        var wasMoved = false
    }

    /// A session that the store refused. It has its numbers again if the app asks for it again.
    struct Refused: Hashable, Sendable {
        let id: SessionID
        let transfers: [TransferID]
        let request: SessionRequest
    }

    struct Cells: Hashable, Sendable {
        var sessions = StateCells<SessionState>()
        var persistent = StateCells<SessionState>()
    }

    init(retryPolicy: RetryPolicy, tellsOfPaths: Bool) {
        self.retryPolicy = retryPolicy
        self.tellsOfPaths = tellsOfPaths
    }

    // MARK: A launch

    mutating func restore(
        _ records: [SessionRecord], _ accounts: [AccountRecord], in turn: inout Turn
    ) {
        self.accounts = AccountTable(accounts)
        let records = withAccounts(records, in: &turn)
        saved = records.filter { !$0.isEnqueued }.sorted { $0.id < $1.id }
        sessions = SessionTable(saved.isEmpty ? records : records.filter(\.isEnqueued))
        if !saved.isEmpty || !self.accounts.records.isEmpty {
            turn.tell(.saved(.holds(self.accounts.records, saved)))
        }
        lastSession = records.map(\.id).max() ?? SessionID(0)
        if sessions.count > 0 { turn.tell(.queueHolds(standingsAfterLaunch)) }
        countCells(of: .relaunch)
        for (index, id) in sessions.ids.enumerated() {
            let record = sessions[id]
            if record.neverRan { accept(record, at: index, in: &turn) }
            if record.state.after(.relaunch) == .nothing {
                turn.note(.engine(.found(id.name, record.state.stage)))
            }
        }
        for id in Array(sessions.ids) {
            move(id, .relaunch, because: "the app was launched again", in: &turn)
        }
        line = records.filter { $0.precedence > 0 }.sorted { $0.precedence < $1.precedence }.map(
            \.id)
    }

    /// How the sessions stand when the app hears of them: the launch has moved them by then.
    private var standingsAfterLaunch: [SessionStanding] {
        sessions.ids.map { id in
            var record = sessions[id]
            if case .goes(let to) = record.state.after(.relaunch) { record.state = to }
            return SessionStanding(record)
        }
    }

    // MARK: The sessions of the queue

    /// Skips the numbers of sessions that were lost with a damaged store: somebody may know them.
    mutating func skip(_ lost: [SessionID], _ accounts: [AccountID]) {
        lastSession = max(lastSession, lost.max() ?? lastSession)
        self.accounts.skip(accounts)
    }

    mutating func move(_ id: SessionID, to: Int, in turn: inout Turn) {
        guard isInQueue(id, in: &turn) else { return }
        guard (0..<sessions.count).contains(to) else {
            return refuse(.noSuchIndex(to, count: sessions.count), in: &turn)
        }
        let from = sessions.index(of: id)
        guard from != to else { return }
        var record = sessions[id]
        sessions.remove(id)
        record.rank = rank(movingTo: to, in: &turn)
        sessions.insert(record)
        turn.note(.queue(.reordered(id.name, from: from, to: to)))
        // Its place and its turn are one change: a crash leaves both or none.
        _ = goesInFront(id)
        turn.persist(.put(sessions[id]))
        turn.tell(.session(id, .row(.moved(from: from, to: to))))
    }

    /// Puts a session into the line if it stands before the session with which a stopped queue
    /// would go on (A8). Returns whether it did, and the store has to be told.
    mutating func goesInFront(_ id: SessionID) -> Bool {
        guard mode == .stopped, sessions[id].state == .waiting, let next = line.last, next != id,
            sessions.index(of: id) < sessions.index(of: next)
        else { return false }
        leaveLine(id)
        joinLine(id)
        return true
    }

    /// Deletes a session (A10).
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

    // MARK: The store's answers

    mutating func persisted(
        _ ticket: PersistTicket, in turn: inout Turn
    ) {
        if enter(ticket, in: &turn) { return }
        if let outcome = accounts.persisted(ticket) { return tell(outcome, in: &turn) }
        guard let current = active else { return }
        switch current.phase {
        case .running:
            guard let place = current.attempt?.place(saving: ticket) else { return }
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
        case .running where current.attempt?.place(saving: ticket) != nil:
            fail(.diskWrite, in: &turn)
        // What is done is done: the app hears of it even if the store cannot keep it.
        case .settling(ticket, let result): deactivate(current.id, result, in: &turn)
        case .running, .settling, .pausing, .waitingForNetwork, .paused: break
        }
    }

    func accept(_ record: SessionRecord, at index: Int, in turn: inout Turn) {
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
        if let answer = turn.process.requests.refuse(refusal) { turn.tell(answer) }
    }

    /// Whether a command about this session can be carried out; says why not.
    func isInQueue(_ id: SessionID, in turn: inout Turn) -> Bool {
        if sessions.holds(id) { return true }
        let isSaved = saved.contains { $0.id == id } || entering.contains { $0.record.id == id }
        refuse(isSaved ? .notEnqueued(id) : .noSuchSession(id), in: &turn)
        return false
    }

    /// Moves a session along its state table, and notes it.
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

    /// Counts an event that reaches all sessions, or all but one.
    mutating func countCells(of event: SessionState.Event, but one: SessionID? = nil) {
        guard cells != nil else { return }
        for id in Array(sessions.ids) where id != one { countCell(of: id, event) }
    }

    /// Removes a session from the line and from the deferrals.
    mutating func leaveLine(_ id: SessionID) {
        line.removeAll { $0 == id }
        deferrals.removeAll { $0.id == id }
    }

    /// Whether something would stand still if the app did.
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

    /// Next wake-up. A turn that is due but blocked sets no timer; another input unblocks it.
    func nextDeadline(after now: Instant) -> Instant? {
        switch active?.phase {
        case .pausing(let until): return until
        case .running: return active?.attempt?.deadline
        case .waitingForNetwork, .settling, .paused: return nil
        case nil:
            guard mode == .running, line.isEmpty else { return nil }
            return deferrals.first.flatMap { $0.notBefore > now ? $0.notBefore : nil }
        }
    }
}

extension SessionState.Event {
    /// Whether the event is the session's own turn or transfer. Other events are wishes of the app,
    /// or reach several sessions.
    fileprivate var isOfOneSession: Bool {
        switch self {
        case .itsTurn, .finished, .retryableError, .fatalError, .networkLost, .pauseOver: true
        case .run, .runOther, .cancel, .stop, .pause, .resume, .remove, .queueStops, .expiry,
            .relaunch:
            false
        }
    }
}
