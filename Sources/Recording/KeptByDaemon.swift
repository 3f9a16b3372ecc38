import TransferEngine

/// A record of a daemon's store: a task, or an app's delay that is not the default.
enum KeptByDaemon: Hashable, Sendable {
    case task(TaskID)
    case delay(app: UInt16)
}

extension ExpectedContent<KeptByDaemon> {
    /// The content that the opened store holds.
    init(_ tasks: [TaskRecord], delays: [BackgroundDelay] = []) {
        self.init()
        for record in tasks { found(.task(record.id), StoreContentDigest.mark(of: record)) }
        for delay in delays {
            found(.delay(app: delay.app), StoreContentDigest.mark(of: delay))
        }
    }

    var tasks: [TaskID] {
        // any order, because they are sorted
        kept.compactMap { if case .task(let id) = $0 { id } else { nil } }.sorted()
    }

    mutating func asked(_ change: TaskChange, by ticket: PersistTicket) {
        switch change {
        case .put(let record):
            asked(.task(record.id), StoreContentDigest.mark(of: record), by: ticket)
        case .remove(let id): asked(.task(id), nil, by: ticket)
        case .delay(let delay):
            asked(.delay(app: delay.app), StoreContentDigest.mark(of: delay), by: ticket)
        case .told: break
        }
    }
}
