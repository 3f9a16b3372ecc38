import RunLog

/// The grammar of what an app hears of its resumable transfers (behaviour K1, K4, K10, K11):
///
///     ongoing progress* (completed | ended | suspended)
/// After a suspension and a request of the app, the grammar begins again, or `suspended` follows at
/// once (812), or `ended` if the transfer is terminated. The end of a process suspends all
/// transfers.
struct EntryGrammar: Sendable {
    private var stages: [ItemName: Stage] = [:]

    private enum Stage: Sendable { case accepted, ongoing, suspended, resuming, ended }

    /// A breach: what the grammar allows here.
    struct Slip: Error, Hashable {
        var expected: String
    }

    mutating func launched() {
        stages = stages.mapValues { $0 == .ended ? .ended : .suspended }
    }

    mutating func dataCleared() { stages = [:] }

    mutating func accepted(_ transfer: ItemName) {
        if stages[transfer] == nil { stages[transfer] = .accepted }
    }

    mutating func read(_ fact: EntryFact) throws(Slip) {
        switch fact {
        case .refused: break
        // The app was told of the end, but the store could not keep it.
        case .held(let transfers): for transfer in transfers { stages[transfer] = .suspended }
        case .asked(let transfer, .transfer):
            guard stages[transfer] == .suspended else {
                throw Slip(expected: "\(transfer) resumes only when it is suspended")
            }
            stages[transfer] = .resuming
        case .asked: break
        case .callback(let transfer, let callback): try hear(callback, of: transfer)
        }
    }

    private mutating func hear(
        _ callback: EntryCallback, of transfer: ItemName
    ) throws(Slip) {
        guard let stage = stages[transfer] else {
            throw Slip(expected: "callbacks only for transfers that the app has started")
        }
        switch (callback, stage) {
        case (.ongoing, .accepted), (.ongoing, .resuming): stages[transfer] = .ongoing
        case (.progress, .ongoing): break
        case (.completed, .ongoing): stages[transfer] = .ended
        case (.ended, .ongoing), (.ended, .suspended), (.ended, .resuming):
            stages[transfer] = .ended
        case (.suspended, .ongoing), (.suspended, .resuming): stages[transfer] = .suspended
        case (_, .accepted):
            throw Slip(expected: "the first callback of \(transfer) is ONGOING")
        case (.ongoing, .ongoing): throw Slip(expected: "\(transfer) becomes ONGOING once")
        case (_, .suspended), (_, .resuming):
            throw Slip(expected: "\(transfer) stays SUSPENDED until the app resumes it")
        case (_, .ended): throw Slip(expected: "no callback of \(transfer) after its end")
        }
    }
}
