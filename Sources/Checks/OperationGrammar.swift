import RunLog

/// The grammar of callbacks about upload operations (behaviour U1, U3):
///
///     added progress* (completed | failed)
/// After a failure and a retry, the grammar begins again.
struct OperationGrammar: Sendable {
    private var stages: [ItemName: Stage] = [:]

    private enum Stage: Sendable { case accepted, ongoing, completed, failed, retried }

    /// Forgets the operations of an earlier process (U7).
    mutating func launched() { stages = [:] }

    mutating func accepted(_ operation: ItemName) { stages[operation] = .accepted }

    mutating func read(_ fact: OperationFact) throws(NotAllowed) {
        switch fact {
        case .refused, .flushed: break
        case .asked(let operation, .retry):
            guard stages[operation] == .failed else {
                throw NotAllowed(
                    expected: "\(operation) is retried only after it has failed")
            }
            stages[operation] = .retried
        case .asked(_, .cancel): break
        case .unlisted(let operation):
            guard stages[operation] == .completed || stages[operation] == .failed else {
                throw NotAllowed(
                    expected: "\(operation) leaves its last list only after it has ended")
            }
        case .callback(let operation, let callback): try hear(callback, of: operation)
        }
    }

    private mutating func hear(
        _ callback: OperationCallback, of operation: ItemName
    ) throws(NotAllowed) {
        guard let stage = stages[operation] else {
            throw NotAllowed(
                expected: "callbacks only for operations that this process has accepted")
        }
        switch (callback, stage) {
        case (.added, .accepted), (.added, .retried): stages[operation] = .ongoing
        case (.progress, .ongoing): break
        case (.completed, .ongoing): stages[operation] = .completed
        case (.failed, .ongoing): stages[operation] = .failed
        case (_, .accepted), (_, .retried):
            throw NotAllowed(expected: "the first callback of \(operation) is “added”")
        case (.added, .ongoing): throw NotAllowed(expected: "\(operation) is added once")
        case (_, .completed), (_, .failed):
            throw NotAllowed(expected: "no callback of \(operation) after its end")
        }
    }
}
