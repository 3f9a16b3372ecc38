import TransferEngine

/// What a daemon's store should hold, by what it was asked to keep: a mark for each task.
struct TaskLedger: Sendable {
    private(set) var content = StoreContentDigest()
    private var marks: [TaskID: UInt64] = [:]
    /// Changes that the store has not answered yet, and what stood there before each.
    private var unanswered: [(ticket: PersistTicket, task: TaskID, before: UInt64?)] = []

    init(_ records: [TaskRecord] = []) {
        for record in records { set(record.id, to: StoreContentDigest.mark(of: record)) }
    }

    var tasks: [TaskID] { marks.keys.sorted() }

    /// Where a change stands once the store has it.
    mutating func take(_ change: TaskChange, _ ticket: PersistTicket) {
        switch change {
        case .put(let record):
            unanswered.append((ticket, record.id, marks[record.id]))
            set(record.id, to: StoreContentDigest.mark(of: record))
        case .remove(let id):
            unanswered.append((ticket, id, marks[id]))
            set(id, to: nil)
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
        if let later = unanswered.firstIndex(where: { $0.task == refused.task }) {
            unanswered[later].before = refused.before
        } else {
            set(refused.task, to: refused.before)
        }
    }

    private mutating func set(_ task: TaskID, to mark: UInt64?) {
        content.replace(mark: marks[task], with: mark)
        marks[task] = mark
    }
}
