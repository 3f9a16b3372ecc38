import TransferEngine

/// What a daemon's store should hold, by what it was asked to keep: a mark for each task, and for
/// each delay that is not as on the first day.
struct TaskLedger: Sendable {
    private(set) var content = StoreContentDigest()
    private var marks: [Entry: UInt64] = [:]
    /// Changes that the store has not answered yet, and what stood there before each.
    private var unanswered: [(ticket: PersistTicket, entry: Entry, before: UInt64?)] = []

    private enum Entry: Hashable {
        case task(TaskID)
        case delay(app: UInt16)
    }

    init(_ records: [TaskRecord] = [], delays: [BackgroundDelay] = []) {
        for record in records { set(.task(record.id), to: StoreContentDigest.mark(of: record)) }
        for delay in delays { set(.delay(app: delay.app), to: StoreContentDigest.mark(of: delay)) }
    }

    var tasks: [TaskID] {
        // any order: they are sorted
        marks.keys.compactMap { if case .task(let id) = $0 { id } else { nil } }.sorted()
    }

    /// Where a change stands once the store has it.
    mutating func take(_ change: TaskChange, _ ticket: PersistTicket) {
        switch change {
        case .put(let record):
            take(.task(record.id), StoreContentDigest.mark(of: record), ticket)
        case .remove(let id): take(.task(id), nil, ticket)
        case .delay(let delay):
            take(.delay(app: delay.app), StoreContentDigest.mark(of: delay), ticket)
        case .told: break
        }
    }

    mutating func committed(_ ticket: PersistTicket) {
        unanswered.removeAll { $0.ticket <= ticket }
    }

    /// A change that the store refused never was: what stood there before stands there still.
    mutating func takeBack(_ ticket: PersistTicket) {
        guard let place = unanswered.firstIndex(where: { $0.ticket == ticket }) else { return }
        let refused = unanswered.remove(at: place)
        if let later = unanswered.firstIndex(where: { $0.entry == refused.entry }) {
            unanswered[later].before = refused.before
        } else {
            set(refused.entry, to: refused.before)
        }
    }

    private mutating func take(_ entry: Entry, _ mark: UInt64?, _ ticket: PersistTicket) {
        unanswered.append((ticket, entry, marks[entry]))
        set(entry, to: mark)
    }

    private mutating func set(_ entry: Entry, to mark: UInt64?) {
        content.replace(mark: marks[entry], with: mark)
        marks[entry] = mark
    }
}
