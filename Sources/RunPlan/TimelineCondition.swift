package import Quantities
package import RunLog

/// Something that comes true in a run, at a moment that nobody knows before: what an entry of a
/// timeline can wait for.
package struct TimelineCondition: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The app was told of so much of a file, in hundredths of a percent.
        case sessionHasShare(ItemName, UInt64)
        case sessionHasMoved(ItemName, ByteCount)
        case sessionStarts(ItemName)
        case sessionRetries(ItemName)
        case sessionFails(ItemName)
        case sessionCompletes(ItemName)
        case sessionCanAcceptPaths(ItemName)
        case transferIsSuspended(ItemName)
        case published(String)
        case appKilled
        case appLaunched
        /// The timeline has done this.
        case done(TimelineEntry.Action)
    }

    package var kind: Kind
    /// As the scenario says it.
    package var words: String

    package init(_ kind: Kind, words: String) {
        self.kind = kind
        self.words = words
    }

    /// Whether it comes true by this.
    func isMet(by fact: RunEvent.Fact) -> Bool {
        switch fact {
        case .queue(.callback(let session, let callback)): isMet(by: callback, of: session)
        case .operations(.callback(let operation, let callback)):
            isMet(by: callback, of: operation)
        case .entries(.callback(let transfer, let callback)):
            isMet(by: callback, of: transfer)
        case .engine(.attempt(let session, 1)): kind == .sessionStarts(session)
        case .engine(.fails(let session, _, _, .some)): kind == .sessionRetries(session)
        // Of tasks it is the system that knows, also where no app can be told.
        case .engine(.moves(let task, _, .completed, _)) where task.facade == .background:
            kind == .sessionCompletes(task)
        case .engine(.moves(let task, _, .failed, _)) where task.facade == .background:
            kind == .sessionFails(task)
        case .server(.published(_, let object, _, _)): kind == .published(object)
        case .device(.appKilled): kind == .appKilled
        case .device(.appLaunched): kind == .appLaunched
        default: false
        }
    }

    private func isMet(by callback: SessionCallback, of session: ItemName) -> Bool {
        switch (kind, callback) {
        case (.sessionHasShare(let mine, let share), .progress(_, let done, let total)):
            // A size is at most 10¹⁵ bytes, and a share 10⁴.
            mine == session && done.bytes * 10_000 >= total.bytes * share
        case (.sessionHasMoved(let mine, let size), .progress(_, let done, _)):
            mine == session && done >= size
        case (_, .didDeactivate(.failed)): kind == .sessionFails(session)
        case (_, .didDeactivate(.completed)): kind == .sessionCompletes(session)
        case (_, .canAcceptPaths): kind == .sessionCanAcceptPaths(session)
        default: false
        }
    }

    private func isMet(by callback: OperationCallback, of operation: ItemName) -> Bool {
        switch (kind, callback) {
        case (.sessionHasShare(let mine, let share), .progress(let done, let total)):
            mine == operation && done.bytes * 10_000 >= total.bytes * share
        case (.sessionHasMoved(let mine, let size), .progress(let done, _)):
            mine == operation && done >= size
        case (_, .failed): kind == .sessionFails(operation)
        case (_, .completed): kind == .sessionCompletes(operation)
        default: false
        }
    }

    private func isMet(by callback: EntryCallback, of transfer: ItemName) -> Bool {
        switch (kind, callback) {
        case (.sessionHasShare(let mine, let share), .progress(let done, let total)):
            mine == transfer && done.bytes * 10_000 >= total.bytes * share
        case (.sessionHasMoved(let mine, let size), .progress(let done, _)):
            mine == transfer && done >= size
        case (_, .suspended): kind == .transferIsSuspended(transfer)
        case (_, .ended): kind == .sessionFails(transfer)
        case (_, .completed): kind == .sessionCompletes(transfer)
        default: false
        }
    }

    /// Whether it stays true: then only its first time is a moment.
    var lasts: Bool {
        switch kind {
        case .sessionHasShare, .sessionHasMoved: true
        case .sessionStarts, .sessionRetries, .sessionFails, .sessionCompletes,
            .sessionCanAcceptPaths, .transferIsSuspended, .published, .appKilled, .appLaunched,
            .done:
            false
        }
    }
}
