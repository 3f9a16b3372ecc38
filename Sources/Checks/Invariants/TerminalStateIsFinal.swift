package import RunLog

/// S4: "Completed, cancelled and failed are left only by an explicit run or retry; no data callback
/// comes after them."
package struct TerminalStateIsFinal: Check {
    private var watch = Watch()
    private var sessions: [ItemName: Session] = [:]
    /// The app wants these run, and since then they have not moved.
    private var wanted: Set<ItemName> = []
    private var killCount = 0
    private var hasEvidence = false

    private struct Session: Sendable {
        var stage: ItemStage
        /// The app knows of the end: from then on no crash can take it back.
        var endIsTold = false
        /// Unless the store has refused to keep it: then the next launch knows nothing of it.
        var endIsUnstored = false
        var killsBefore: Int
    }

    package init() {}

    package var rule: String { "S4" }
    package var statement: String {
        "completed, cancelled and failed are left only when the app runs the session again, and no "
            + "progress or file start is reported after them"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .device(.appKilled):
            killCount += 1
            wanted.removeAll()
        // What the system carries out ends with its power, whether or not the app is there.
        case .device(.power): killCount += 1
        case .store(.failed): endsAreUnstored()
        case .engine(.moves(let session, let from, let to, _)):
            hasEvidence = true
            judge(session, from: from)
            sessions[session] = Session(stage: to, killsBefore: killCount)
        case .engine(.found(let session, let stage)):
            judge(session, isNow: stage)
            sessions[session] = Session(
                stage: stage, endIsTold: stage.isTerminal && session.facade != .background,
                killsBefore: killCount)
        case .queue(.asked(let session, .run)): wanted.insert(session)
        case .queue(.callback(let session, let callback)): judge(session, telling: callback)
        case .operations(.asked(let operation, .retry)): wanted.insert(operation)
        case .operations(.callback(let operation, let callback)):
            judge(operation, telling: callback)
        case .entries(.callback(let transfer, let callback)):
            judge(transfer, telling: callback)
        case .background(.callback(let task, let callback)): judge(task, telling: callback)
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "no session changed its state")
    }

    private mutating func judge(_ name: ItemName, from: ItemStage) {
        let isWanted = wanted.remove(name) != nil
        if from.isTerminal, !isWanted {
            return watch.fall(
                expected: "\(name) stays \(from.rawValue)", seen: "it leaves \(from.rawValue)")
        }
        judge(name, isNow: from)
    }

    private mutating func judge(_ name: ItemName, isNow stage: ItemStage) {
        let first = name.facade == .background ? ItemStage.suspended : .waiting
        let session = sessions[name] ?? Session(stage: first, killsBefore: killCount)
        guard stage != session.stage else { return }
        // A kill leaves what the store held (S7): perhaps an earlier state, but never one before an
        // end that the app was told.
        let wasKilled = session.killsBefore < killCount
        if wasKilled && (!session.endIsTold || session.endIsUnstored) { return }
        watch.fall(
            expected: "\(name) goes on from \(session.stage.rawValue)",
            seen: "it goes on from \(stage.rawValue)")
    }

    /// Those of which the app has not heard yet; before it does, the store has answered.
    private mutating func endsAreUnstored() {
        sessions = sessions.mapValues { session in
            guard session.stage.isTerminal, !session.endIsTold else { return session }
            var unstored = session
            unstored.endIsUnstored = true
            return unstored
        }
    }

    private mutating func judge(_ name: ItemName, telling callback: OperationCallback) {
        guard let operation = sessions[name], operation.stage.isTerminal else { return }
        switch callback {
        case .completed, .failed: sessions[name]?.endIsTold = true
        case .added, .progress:
            watch.fall(
                expected: "no data callback of \(name) after it is \(operation.stage.rawValue)",
                seen: "\(name) \(callback.sentence)")
        }
    }

    private mutating func judge(_ name: ItemName, telling callback: EntryCallback) {
        guard let transfer = sessions[name], transfer.stage.isTerminal else { return }
        switch callback {
        case .completed, .ended: sessions[name]?.endIsTold = true
        case .ongoing, .progress, .suspended:
            watch.fall(
                expected: "no data callback of \(name) after it is \(transfer.stage.rawValue)",
                seen: "\(name) \(callback.sentence)")
        }
    }

    private mutating func judge(_ name: ItemName, telling callback: TaskCallback) {
        switch callback {
        case .didComplete:
            if sessions[name]?.stage.isTerminal == true { sessions[name]?.endIsTold = true }
        case .didSendBodyData, .didResume, .didWriteData, .didFinishDownloading:
            // What was on its way when the task finished is still heard, before the end is.
            guard sessions[name]?.endIsTold == true else { return }
            watch.fall(
                expected: "no data callback of \(name) after it did complete",
                seen: "\(name) \(callback.sentence)")
        }
    }

    private mutating func judge(_ name: ItemName, telling callback: SessionCallback) {
        guard let session = sessions[name], session.stage.isTerminal else { return }
        switch callback {
        case .didDeactivate: sessions[name]?.endIsTold = true
        case .didStartFile, .progress, .canAcceptPaths:
            watch.fall(
                expected: "no data callback of \(name) after it is \(session.stage.rawValue)",
                seen: "\(name) \(callback.sentence)")
        case .willActivate, .didActivate, .willStartRunning, .didStartRunning, .didStopFile,
            .willStopRunning, .didStopRunning, .willDeactivate, .row:
            break
        }
    }
}
