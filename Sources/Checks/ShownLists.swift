import Quantities
import RunLog

/// The lists of one app's interfaces (A12, K2, U1). They show what the app was told in this launch,
/// and nothing else.
struct ShownLists: Sendable {
    private var rows = ToldRows()
    private var runs = false
    private var saved: Set<ItemName> = []
    private var accounts: Set<AccountName> = []
    private var operations: [Operation] = []
    /// The changes of operations that this launch was told.
    private var changes = 0
    private var transfers: [Transfer] = []
    /// The progress of each transfer that the app was told, and that its store has or will have.
    private var stored: [ItemName: Stored] = [:]
    private(set) var evidence = Evidence<Clause>()

    private struct Operation: Sendable {
        let name: ItemName
        var list = List.ongoing
        var percent = 0
        var done = ByteCount.zero
        var error: Int?

        enum List: Sendable { case ongoing, completed, failed }
    }

    private struct Transfer: Sendable {
        let name: ItemName
        var isOngoing: Bool
        /// Progress, and the whole; `nil` until the launch has heard of them.
        var done: ByteCount?
        var total: ByteCount?
    }

    private struct Stored: Sendable {
        /// Progress that no launch may forget, because a change after it was committed.
        var done = ByteCount.zero
        /// The latest progress, and the change of the store that came after it.
        var latest: ByteCount
        var ticket: UInt64?
    }

    mutating func read(_ event: RunEvent) throws(NotAllowed) {
        switch event.fact {
        case .device(.appLaunched): forgetLists()
        case .device(.appDataCleared), .store(.setAside): stored = [:]
        case .store(let fact): read(fact)
        case .queue(.callback(let session, .row(let change))):
            evidence.decides(.rows, if: rows.sessions.count > 1)
            try rows.change(session, change)
        case .queue(let fact): read(fact)
        case .engine(.accepts(let session, _, _)): saved.remove(session)
        case .engine(.startsOver(let transfer, _)) where transfer.facade == .bucket:
            stored[ItemName(transfer.number, of: .bucket)] = nil
        case .operations(.callback(let operation, let callback)): read(callback, of: operation)
        case .entries(let fact): read(fact)
        case .shown(let shown): try judge(shown)
        default: break
        }
    }

    /// Forgets the lists of the process that has died. What is told next is for the new one.
    private mutating func forgetLists() {
        rows = ToldRows()
        runs = false
        saved = []
        accounts = []
        operations = []
        changes = 0
        transfers = []
    }

    // MARK: What the app is told

    private mutating func read(_ fact: QueueFact) {
        switch fact {
        case .holds(let sessions): rows = ToldRows(sessions)
        case .saved(.holds(let accounts, let sessions)):
            self.accounts = Set(accounts)
            saved = Set(sessions)
        case .saved(.account(let account, _)): accounts.insert(account)
        case .saved(.accountDeleted(let account)): accounts.remove(account)
        case .saved(.session(let session, _, _)): saved.insert(session)
        case .saved(.sessionDeleted(let session)): saved.remove(session)
        case .started: runs = true
        case .stopped: runs = false
        case .asked, .reordered, .pathAdded, .refused, .denied, .callback,
            .saved, .storeWasSetAside, .demarcates, .requested, .answered:
            break
        }
    }

    private mutating func read(_ callback: OperationCallback, of name: ItemName) {
        changes += 1
        guard case .added = callback else {
            guard let place = operations.firstIndex(where: { $0.name == name }) else { return }
            return change(place, callback)
        }
        operations.removeAll { $0.name == name }
        operations.append(Operation(name: name))
    }

    private mutating func change(_ place: Int, _ callback: OperationCallback) {
        var operation = operations[place]
        switch callback {
        case .added: break
        case .progress(let done, let total):
            operation.percent = total > .zero ? Int(done.bytes * 100 / total.bytes) : 100
            operation.done = done
            operations[place] = operation
        case .completed:
            operation.list = .completed
            operations.remove(at: place)
            operations.append(operation)
        case .failed(let code, _):
            operation.list = .failed
            operation.error = code
            operations.remove(at: place)
            operations.append(operation)
        case .agedOut, .flushed: operations.remove(at: place)
        }
    }

    private mutating func read(_ fact: EntryFact) {
        switch fact {
        case .held(let names):
            transfers = names.map { Transfer(name: $0, isOngoing: false) }
        case .callback(let name, .ongoing): list(name, isOngoing: true)
        case .callback(let name, .suspended): list(name, isOngoing: false)
        case .callback(let name, .progress(let done, let total)):
            list(name, isOngoing: true)
            moved(name, done, of: total)
            stored[name, default: Stored(latest: done)].latest = done
            stored[name]?.ticket = nil
        case .callback(let name, .completed), .callback(let name, .ended):
            transfers.removeAll { $0.name == name }
        case .asked, .refused: break
        }
    }

    private mutating func read(_ fact: StoreFact) {
        switch fact {
        case .requested(let ticket, _, _):
            stored = stored.mapValues { known in
                var known = known
                known.ticket = known.ticket ?? ticket
                return known
            }
        case .committed(let ticket):
            stored = stored.mapValues { known in
                var known = known
                if let due = known.ticket, due <= ticket { known.done = known.latest }
                return known
            }
        // Changes that were not committed may be lost.
        case .opened, .failed:
            stored = stored.mapValues { Stored(done: $0.done, latest: $0.done) }
        case .setAside: break
        }
    }

    private mutating func list(_ name: ItemName, isOngoing: Bool) {
        guard let place = transfers.firstIndex(where: { $0.name == name }) else {
            return transfers.append(Transfer(name: name, isOngoing: isOngoing))
        }
        transfers[place].isOngoing = isOngoing
    }

    private mutating func moved(_ name: ItemName, _ done: ByteCount, of total: ByteCount) {
        guard let place = transfers.firstIndex(where: { $0.name == name }) else { return }
        (transfers[place].done, transfers[place].total) = (done, total)
    }

    // MARK: What the lists show

    private mutating func judge(_ shown: ShownFact) throws(NotAllowed) {
        switch shown {
        case .queue(let sessions, let saved, let accounts, let runs):
            evidence.decides(.mode, if: self.runs)
            evidence.decides(.queue, if: rows.sessions.count > 1 || !self.saved.isEmpty)
            let due = (
                saved: self.saved.sorted { $0.number < $1.number },
                accounts: self.accounts.sorted { $0.number < $1.number }
            )
            guard
                sessions.map(\.session) != rows.sessions || saved != due.saved
                    || accounts != due.accounts || runs != self.runs
            else { return }
            throw NotAllowed(
                expected: "the queue to \(self.runs ? "run" : "stand") and show "
                    + (rows.sessions.isEmpty ? "no session" : rows.sessions.listed)
                    + (due.saved.isEmpty ? "" : "; saved: \(due.saved.listed)")
                    + (due.accounts.isEmpty ? "" : "; \(due.accounts.listed)"))
        case .operations(let ongoing, let completed, let failed):
            evidence.decides(.operations, if: !operations.isEmpty)
            try judge(ongoing, .ongoing)
            try judge(completed, .completed)
            try judge(failed, .failed)
        case .transfers(let transfers): try judge(transfers)
        case .observers(let heard):
            evidence.decides(.observers, if: changes > 0)
            guard heard.contains(where: { $0 != changes }) else { return }
            throw NotAllowed(expected: "each observer to have heard of \(changes) changes")
        }
    }

    private func judge(
        _ shown: [ShownOperation], _ list: Operation.List
    ) throws(NotAllowed) {
        let due = operations.filter { $0.list == list }
        // The app computes with floating point, which may be a hundredth off.
        let isTrue =
            shown.count == due.count
            && zip(shown, due).allSatisfy {
                $0.operation == $1.name && abs($0.percent - $1.percent) <= 1
                    && $0.done == $1.done && $0.error == $1.error
            }
        guard !isTrue else { return }
        let names = due.map {
            ShownOperation($0.name, percent: $0.percent, done: $0.done, error: $0.error)
        }
        throw NotAllowed(
            expected: "the \(list) operations to be " + (names.isEmpty ? "none" : names.listed))
    }

    private mutating func judge(_ shown: [ShownTransfer]) throws(NotAllowed) {
        evidence.decides(.transfers, if: !transfers.isEmpty)
        let (listed, due) = (Set(shown.map(\.transfer)), Set(transfers.map(\.name)))
        guard listed == due, shown.count == transfers.count else {
            throw NotAllowed(
                expected: "the listed transfers to be "
                    + (due.isEmpty ? "none" : transfers.map(\.name).listed))
        }
        for transfer in transfers {
            guard let row = shown.first(where: { $0.transfer == transfer.name }) else { continue }
            try judge(row, transfer)
        }
    }

    private mutating func judge(_ row: ShownTransfer, _ transfer: Transfer) throws(NotAllowed) {
        let least = stored[transfer.name]?.done ?? .zero
        evidence.decides(.kept, if: transfer.done == nil && least > .zero)
        let isTrue =
            row.isOngoing == transfer.isOngoing
            && (transfer.done.map { row.done == $0 } ?? (row.done >= least))
            && (transfer.total == nil || row.total == transfer.total)
        guard !isTrue else { return }
        throw NotAllowed(
            expected: "\(transfer.name) to be \(transfer.isOngoing ? "ONGOING" : "SUSPENDED") at "
                + (transfer.done?.description ?? "\(least) or more")
                + (transfer.total.map { " of \($0)" } ?? ""))
    }
}

extension ShownLists {
    enum Clause: String, ClauseName {
        /// Decided by each change of a row in a table of several.
        case rows = "rows told"
        /// Decided by each look at a queue of several sessions, or beside saved ones.
        case queue = "queue shown"
        /// Decided by each look at a queue that has been started.
        case mode = "mode shown"
        /// Decided by each look at operations that are in a list.
        case operations = "operations shown"
        /// Decided by each look at transfers that have started and not ended.
        case transfers = "transfers shown"
        /// Decided by each look at what observers have heard, if there was a change.
        case observers = "observers told"
        /// Decided by each look at a transfer that has moved in an earlier launch only.
        case kept = "progress kept"

        var sentence: String {
            switch self {
            case .rows: "a change of a row is told of the row where the session is (A12)"
            case .queue: "an app's queue shows the rows that it was told of (A12)"
            case .mode: "an app's queue shows whether it runs, as it was told (A22)"
            case .operations: "an app's operations are in the lists that it was told (U1, U4)"
            case .observers: "every observer of operations hears of every change (U3, U8)"
            case .transfers: "a manager lists each transfer as the app was told (K1, K2)"
            case .kept: "a launch lists what a transfer had done before (K4, K10)"
            }
        }
    }
}
