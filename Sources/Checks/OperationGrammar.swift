import RunLog

/// The grammar of callbacks about upload operations (behaviour U1, U3):
///
///     added progress* (completed | failed) (aged out | flushed)?
/// After a failure and a retry, the grammar begins again.
struct OperationGrammar: Sendable {
    private var stages: [ItemName: Stage] = [:]

    private enum Stage: Sendable {
        case accepted, ongoing, completed, failed, retried
        /// Failed, and in no list.
        case unlisted
        /// Completed, and in no list.
        case gone
    }

    /// Forgets the operations of an earlier process (U7).
    mutating func launched() { stages = [:] }

    mutating func accepted(_ operation: ItemName) { stages[operation] = .accepted }

    mutating func read(_ fact: OperationFact) throws(NotAllowed) {
        switch fact {
        case .refused, .flushed: break
        case .asked(let operation, .retry):
            guard stages[operation] == .failed || stages[operation] == .unlisted else {
                throw NotAllowed(
                    expected: "\(operation) is retried only after it has failed")
            }
            stages[operation] = .retried
        case .asked(_, .cancel): break
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
        case (.agedOut, .completed), (.flushed, .completed): stages[operation] = .gone
        case (.agedOut, .failed), (.flushed, .failed): stages[operation] = .unlisted
        case (.agedOut, _), (.flushed, _):
            throw NotAllowed(
                expected: "\(operation) leaves its list once, after it has ended")
        case (_, .accepted), (_, .retried):
            throw NotAllowed(expected: "the first callback of \(operation) is “added”")
        case (.added, .ongoing): throw NotAllowed(expected: "\(operation) is added once")
        case (_, .completed), (_, .failed), (_, .unlisted), (_, .gone):
            throw NotAllowed(expected: "no callback of \(operation) after its end")
        }
    }
}
