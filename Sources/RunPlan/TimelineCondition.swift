package import Quantities
package import RunLog

/// A condition that an entry of a timeline can wait for.
package struct TimelineCondition: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The progress of an item, in hundredths of a percent.
        case sessionHasShare(ItemName, UInt64)
        case sessionHasMoved(ItemName, ByteCount)
        case sessionStarts(ItemName)
        case sessionRetries(ItemName)
        case sessionFails(ItemName)
        case sessionCompletes(ItemName)
        case sessionCanAcceptPaths(ItemName)
        case transferIsSuspended(ItemName)
        case published(String)
        /// The fault of the server with this name takes effect.
        case faultTakesEffect(String)
        case appKilled
        case appLaunched
        /// The timeline has done this action.
        case done(TimelineEntry.Action)
    }

    package var kind: Kind
    /// The words of the scenario.
    package var words: String

    package init(_ kind: Kind, words: String) {
        self.kind = kind
        self.words = words
    }

    /// Whether the condition comes true by this fact.
    func isMet(by fact: RunEvent.Fact) -> Bool {
        switch fact {
        case .queue(.callback(let item, .canAcceptPaths)): kind == .sessionCanAcceptPaths(item)
        case .entries(.callback(let item, .suspended)): kind == .transferIsSuspended(item)
        case .engine(.attempt(let session, 1)): kind == .sessionStarts(session)
        case .engine(.fails(let session, _, _, .some)): kind == .sessionRetries(session)
        // Tasks are the system's, and may end while no app can be told.
        case .engine(.moves(let task, _, .completed, _)) where task.facade == .background:
            kind == .sessionCompletes(task)
        case .engine(.moves(let task, _, .failed, _)) where task.facade == .background:
            kind == .sessionFails(task)
        case .server(.published(_, let object, _, _)): kind == .published(object)
        case .server(let fact):
            fact.faultInEffect.map { kind == .faultTakesEffect($0) } ?? false
        case .device(.appKilled): kind == .appKilled
        case .device(.appLaunched): kind == .appLaunched
        default: isTold(by: fact)
        }
    }

    private func isTold(by fact: RunEvent.Fact) -> Bool {
        if let (item, done, total) = fact.progress { return isMet(by: item, done, of: total) }
        if let item = fact.toldCompletion { return kind == .sessionCompletes(item) }
        return fact.toldFailure.map { kind == .sessionFails($0) } ?? false
    }

    private func isMet(by item: ItemName, _ done: ByteCount, of total: ByteCount) -> Bool {
        switch kind {
        // A size is at most 10¹⁵ bytes, and a share 10⁴.
        case .sessionHasShare(item, let share): done.bytes * 10_000 >= total.bytes * share
        case .sessionHasMoved(item, let size): done >= size
        default: false
        }
    }

    /// Whether the condition stays true, so that it can be met only once.
    package var lasts: Bool {
        switch kind {
        case .sessionHasShare, .sessionHasMoved: true
        case .sessionStarts, .sessionRetries, .sessionFails, .sessionCompletes,
            .sessionCanAcceptPaths, .transferIsSuspended, .published, .faultTakesEffect,
            .appKilled, .appLaunched, .done:
            false
        }
    }
}
