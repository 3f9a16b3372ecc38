import RunLog

/// The grammar of what an app hears of its upload operations (behaviour U1, U3):
///
///     added progress* (completed | failed)
/// After a failure and a retry, the grammar begins again.
struct OperationGrammar: Sendable {
    private var stages: [ItemName: Stage] = [:]

    private enum Stage: Sendable { case accepted, ongoing, completed, failed, retried }

    /// A breach: what the grammar allows here.
    struct Slip: Error, Hashable {
        var expected: String
    }

    /// Forgets the operations of an earlier process (U7).
    mutating func launched() { stages = [:] }

    mutating func accepted(_ operation: ItemName) { stages[operation] = .accepted }

    mutating func read(_ fact: OperationFact) throws(Slip) {
        switch fact {
        case .refused, .flushed: break
        case .asked(let operation, .retry):
            guard stages[operation] == .failed else {
                throw Slip(expected: "\(operation) is retried only after it has failed")
            }
            stages[operation] = .retried
        case .asked(_, .cancel): break
        case .unlisted(let operation):
            guard stages[operation] == .completed || stages[operation] == .failed else {
                throw Slip(expected: "\(operation) leaves its last list only after it has ended")
            }
        case .callback(let operation, let callback): try hear(callback, of: operation)
        }
    }

    private mutating func hear(
        _ callback: OperationCallback, of operation: ItemName
    ) throws(Slip) {
        guard let stage = stages[operation] else {
            throw Slip(expected: "callbacks only for operations that this process has accepted")
        }
        switch (callback, stage) {
        case (.added, .accepted), (.added, .retried): stages[operation] = .ongoing
        case (.progress, .ongoing): break
        case (.completed, .ongoing): stages[operation] = .completed
        case (.failed, .ongoing): stages[operation] = .failed
        case (_, .accepted), (_, .retried):
            throw Slip(expected: "the first callback of \(operation) is “added”")
        case (.added, .ongoing): throw Slip(expected: "\(operation) is added once")
        case (_, .completed), (_, .failed):
            throw Slip(expected: "no callback of \(operation) after its end")
        }
    }
}
