import RunLog

/// The grammar of what an app hears of its upload operations (behaviour U1, U3):
///
///     added progress* (completed | failed)
///
/// and after a failure, once the app has asked for it, the same again.
struct OperationGrammar: Sendable {
    private var stages: [ItemName: Stage] = [:]

    private enum Stage: Sendable { case accepted, ongoing, completed, failed, retried }

    /// What the grammar has instead.
    struct Slip: Error, Hashable {
        var expected: String
    }

    /// Nothing of an earlier process is heard of any more (U7).
    mutating func launched() { stages = [:] }

    mutating func accepted(_ operation: ItemName) { stages[operation] = .accepted }

    mutating func read(_ fact: OperationFact) throws(Slip) {
        switch fact {
        case .refused, .flushed: break
        case .asked(let operation, .retry):
            guard stages[operation] == .failed else {
                throw Slip(expected: "\(operation) is retried when it has failed, and never else")
            }
            stages[operation] = .retried
        case .asked(_, .cancel): break
        case .unlisted(let operation):
            guard stages[operation] == .completed || stages[operation] == .failed else {
                throw Slip(expected: "\(operation) leaves its last list when it has ended")
            }
        case .callback(let operation, let callback): try hear(callback, of: operation)
        }
    }

    private mutating func hear(
        _ callback: OperationCallback, of operation: ItemName
    ) throws(Slip) {
        guard let stage = stages[operation] else {
            throw Slip(expected: "callbacks of operations that this process has accepted")
        }
        switch (callback, stage) {
        case (.added, .accepted), (.added, .retried): stages[operation] = .ongoing
        case (.progress, .ongoing): break
        case (.completed, .ongoing): stages[operation] = .completed
        case (.failed, .ongoing): stages[operation] = .failed
        case (_, .accepted), (_, .retried):
            throw Slip(expected: "that \(operation) is added comes before all else")
        case (.added, .ongoing): throw Slip(expected: "\(operation) is added once")
        case (_, .completed), (_, .failed):
            throw Slip(expected: "no callback of \(operation) after its end")
        }
    }
}
