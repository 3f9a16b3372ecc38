import RunLog

/// The grammar of callbacks about resumable transfers (behaviour K1, K4, K10, K11):
///
///     ongoing progress* (completed | ended | suspended)
/// After a suspension and a request of the app, the grammar begins again, or `suspended` follows at
/// once (812), or `ended` if the transfer is terminated. The end of a process suspends all
/// transfers.
struct EntryGrammar: Sendable {
    private var stages: [ItemName: Stage] = [:]

    private enum Stage: Sendable { case accepted, ongoing, suspended, resuming, ended }

    mutating func launched() {
        stages = stages.mapValues { $0 == .ended ? .ended : .suspended }
    }

    mutating func dataCleared() { stages = [:] }

    mutating func accepted(_ transfer: ItemName) {
        if stages[transfer] == nil { stages[transfer] = .accepted }
    }

    mutating func read(_ fact: EntryFact) throws(NotAllowed) {
        switch fact {
        case .refused: break
        // The app was told of the end, but the store could not keep it.
        case .held(let transfers): for transfer in transfers { stages[transfer] = .suspended }
        case .asked(let transfer, .transfer):
            guard stages[transfer] == .suspended else {
                throw NotAllowed(expected: "\(transfer) resumes only when it is suspended")
            }
            stages[transfer] = .resuming
        case .asked: break
        case .callback(let transfer, let callback): try hear(callback, of: transfer)
        }
    }

    private mutating func hear(
        _ callback: EntryCallback, of transfer: ItemName
    ) throws(NotAllowed) {
        guard let stage = stages[transfer] else {
            throw NotAllowed(expected: "callbacks only for transfers that the app has started")
        }
        switch (callback, stage) {
        case (.ongoing, .accepted), (.ongoing, .resuming): stages[transfer] = .ongoing
        case (.progress, .ongoing): break
        case (.completed, .ongoing): stages[transfer] = .ended
        case (.ended, .ongoing), (.ended, .suspended), (.ended, .resuming):
            stages[transfer] = .ended
        case (.suspended, .ongoing), (.suspended, .resuming): stages[transfer] = .suspended
        case (_, .accepted):
            throw NotAllowed(expected: "the first callback of \(transfer) is ONGOING")
        case (.ongoing, .ongoing): throw NotAllowed(expected: "\(transfer) becomes ONGOING once")
        case (_, .suspended), (_, .resuming):
            throw NotAllowed(expected: "\(transfer) stays SUSPENDED until the app resumes it")
        case (_, .ended): throw NotAllowed(expected: "no callback of \(transfer) after its end")
        }
    }
}
