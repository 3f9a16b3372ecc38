import Quantities
import RunLog

/// What the rows of one app's queue show of each session (A25): how the engine has decided that it
/// stands. After a launch, a row shows what the store had, or at most what came later.
struct ShownSessions: Sendable {
    private var sessions: [ItemName: Session] = [:]
    private var owners: [TransferName: ItemName] = [:]
    /// The sizes of sources; `nil` if one has had several, as it was edited.
    private var sizes: [TransferName: ByteCount?] = [:]
    /// The size of each source when it was last looked at.
    private var lastSizes: [TransferName: ByteCount] = [:]
    /// Sessions with a change that may not be durable, and its ticket once the store is asked.
    private var unsaved: [ItemName: UInt64?] = [:]
    private var network: NetworkWait?
    private(set) var evidence = Evidence<Clause>()

    private struct Session: Sendable {
        var stage = ItemStage.waiting
        /// The codes that it may show: one, or after a kill those that the store may have had.
        var errors: [Int?] = [nil]
        /// Earlier ones that the store may still have.
        var earlier: [Int?] = []
        var arrived: Set<TransferName> = []
        /// Files that have arrived, and files that were begun again, since the store was last told.
        var recent: Set<TransferName> = []
        var begun: Set<TransferName> = []
        /// Files that have arrived unless a kill has undone it.
        var perhaps: Set<TransferName> = []
        var pause: Instant?
        var isPersistent = false

        /// A kill may have taken back what the store was not told.
        mutating func mayHaveLost() {
            (errors, earlier) = (earlier + errors, [])
            arrived.formUnion(begun)
            perhaps.formUnion(recent.union(begun))
            (recent, begun) = ([], [])
        }
    }

    private struct NetworkWait: Sendable {
        var session: ItemName
        var because: String
        /// Whether nothing has happened since that could have ended it.
        var isFresh = true
    }

    mutating func read(_ event: RunEvent) throws(NotAllowed) {
        switch event.fact {
        case .device(.appLaunched): launch()
        case .device(.appDataCleared), .store(.setAside):
            (sessions, unsaved) = ([:], [:])
        case .device: network?.isFresh = false
        case .store(let fact): read(fact)
        case .engine(let fact): read(fact, at: event.at)
        case .queue(.asked(let session, .run)):
            network?.isFresh = false
            sessions[session]?.pause = nil
            meets(nil, session)
        case .queue(.callback(let session, .row(.removed))):
            sessions[session] = nil
            unsaved[session] = nil
        case .queue: network?.isFresh = false
        case .shown(.queue(let rows, _, _, _)):
            for row in rows { try judge(row, at: event.at) }
        default: break
        }
    }

    /// A launch has what the store kept, and has forgotten all pauses.
    private mutating func launch() {
        network = nil
        // any order: each is by itself
        for session in sessions.keys { sessions[session]?.pause = nil }
    }

    private mutating func read(_ fact: StoreFact) {
        guard !unsaved.isEmpty else { return }
        switch fact {
        case .requested(let ticket, _, _): unsaved = unsaved.mapValues { $0 ?? ticket }
        case .committed(let ticket):
            // any order: each is by itself
            for (session, due) in unsaved {
                guard let due, due <= ticket else { continue }
                unsaved[session] = nil
                sessions[session]?.earlier = []
                sessions[session]?.recent = []
                sessions[session]?.begun = []
            }
        case .opened:
            // any order: each is by itself
            for session in unsaved.keys { sessions[session]?.mayHaveLost() }
            unsaved = [:]
        // Nothing says which change is kept later; a launch may find any of them.
        case .failed: unsaved = unsaved.mapValues { _ in .max }
        case .setAside: break
        }
    }

    private mutating func read(_ fact: EngineFact, at now: Instant) {
        switch fact {
        case .accepts(let session, _, let transfers) where session.facade == .queue:
            for transfer in transfers { owners[transfer.transfer] = session }
            if sessions[session] == nil { sessions[session] = Session() }
        case .isPersistent(let session): sessions[session]?.isPersistent = true
        case .found(let session, let stage): sessions[session]?.stage = stage
        case .moves(let session, _, let stage, _) where session.facade == .queue:
            network?.isFresh = false
            sessions[session]?.stage = stage
            if stage == .completed { meets(nil, session) }
        case .attempt(let session, _):
            if network?.session == session { network = nil }
            sessions[session]?.pause = nil
        case .fails(let session, let code, _, let pause) where session.facade == .queue:
            meets(code, session)
            sessions[session]?.pause = pause.map { now + $0 }
        case .waitsForNetwork(let session, let because) where session.facade == .queue:
            network = NetworkWait(session: session, because: because)
        case .inspected(let transfer, let size, _):
            sizes[transfer] = .some((sizes[transfer] ?? size) == size ? size : nil)
            lastSizes[transfer] = size
        case .keepsTarget(let transfer, _): sizes[transfer] = .some(nil)
        case .completes(let transfer): arrives(transfer)
        case .startsOver(let transfer, _):
            // What begins now has the size that was just seen, whatever a later look may find.
            sizes[transfer] = lastSizes[transfer].map { .some($0) }
            begins(transfer)
        case .sends(let transfer, _, _, _, _): begins(transfer)
        default: break
        }
    }

    private mutating func meets(_ error: Int?, _ session: ItemName) {
        guard let known = sessions[session], known.errors != [error] else { return }
        sessions[session]?.earlier += known.errors
        sessions[session]?.errors = [error]
        unsaved[session] = .some(nil)
    }

    private mutating func arrives(_ transfer: TransferName) {
        guard let session = owners[transfer] else { return }
        sessions[session]?.arrived.insert(transfer)
        sessions[session]?.recent.insert(transfer)
        sessions[session]?.perhaps.remove(transfer)
        unsaved[session] = .some(nil)
    }

    private mutating func begins(_ transfer: TransferName) {
        guard let session = owners[transfer],
            sessions[session]?.arrived.remove(transfer) != nil
        else { return }
        sessions[session]?.begun.insert(transfer)
        unsaved[session] = .some(nil)
        sessions[session]?.recent.remove(transfer)
        sessions[session]?.perhaps.remove(transfer)
    }

    // MARK: What a row shows

    private mutating func judge(_ row: ShownSession, at now: Instant) throws(NotAllowed) {
        guard let due = sessions[row.session] else { return }
        evidence.decides(.stage, if: due.stage != .waiting)
        guard row.stage == due.stage else {
            throw NotAllowed(expected: "\(row.session) to be \(due.stage.rawValue)")
        }
        try judge(row, errorOf: due)
        if !due.isPersistent { try judge(row, filesOf: due) }
        try judge(row, waitOf: due, at: now)
    }

    private mutating func judge(_ row: ShownSession, errorOf due: Session) throws(NotAllowed) {
        evidence.decides(.error, if: due.errors.last != .some(nil))
        guard !due.errors.contains(row.error) else { return }
        let latest = due.errors.last.flatMap(\.self)
        throw NotAllowed(
            expected: "\(row.session) to show " + (latest.map { "error \($0)" } ?? "no error"))
    }

    private mutating func judge(_ row: ShownSession, filesOf due: Session) throws(NotAllowed) {
        let least = due.arrived.subtracting(due.perhaps)
        evidence.decides(.files, if: !least.isEmpty)
        guard (least.count...due.arrived.count).contains(row.arrived) else {
            throw NotAllowed(
                expected: "\(row.session) to show that \(due.arrived.count) of its files have "
                    + "arrived")
        }
        let known = due.arrived.compactMap { sizes[$0].flatMap(\.self) }
        guard due.perhaps.isEmpty, known.count == due.arrived.count else { return }
        let done = known.reduce(.zero, +)
        guard row.done != done else { return }
        throw NotAllowed(expected: "\(row.session) to show that \(done) of it have arrived")
    }

    private mutating func judge(
        _ row: ShownSession, waitOf due: Session, at now: Instant
    ) throws(NotAllowed) {
        let network = network?.session == row.session ? network : nil
        let pause = due.pause.map { ShownWait.pause(until: $0) }
        switch row.wait {
        case .network(let because)?:
            evidence.decides(.wait)
            guard because != network?.because else { return }
            throw NotAllowed(expected: "\(row.session) to wait for no network")
        case .pause?:
            evidence.decides(.wait)
            guard row.wait != pause else { return }
            throw NotAllowed(
                expected: "\(row.session) to wait \(pause?.description ?? "for no pause")")
        case nil:
            if let network, network.isFresh {
                throw NotAllowed(
                    expected: "\(row.session) to wait for a network: \(network.because)")
            }
            guard due.stage == .retrying, let until = due.pause, until > now else { return }
            throw NotAllowed(expected: "\(row.session) to wait until \(until)")
        }
    }
}

extension ShownSessions {
    enum Clause: String, ClauseName {
        /// Decided by each look at a session that does not simply wait.
        case stage = "stage of a row"
        /// Decided by each look at a session that has met an error.
        case error = "error of a row"
        /// Decided by each look at a session of which a file has arrived durably.
        case files = "files of a row"
        /// Decided by each look at a session that waits for a pause or a network.
        case wait = "wait of a row"

        var sentence: String {
            switch self {
            case .stage: "the row of a session shows its state, after any launch (A25)"
            case .error: "the row of a session shows its last error, until all has arrived (A25)"
            case .files: "the row of a session shows how many of its files have arrived (A25)"
            case .wait: "the row of a session shows what it waits for, and until when (A25)"
            }
        }
    }
}
