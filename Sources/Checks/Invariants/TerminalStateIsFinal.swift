import RunLog

/// S4: "Completed, cancelled and failed are left only by an explicit run or retry; no data callback
/// comes after them."
struct TerminalStateIsFinal: Invariant {
    private(set) var watch = Watch()
    private var sessions: [ItemName: Session] = [:]
    /// Items that the app has run explicitly and that have not changed since.
    private var wanted: Set<ItemName> = []
    private var killCount = 0
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()

    private struct Session: Sendable {
        var stage: ItemStage
        /// Whether the app knows of the end, so that no crash can undo it.
        var endIsTold = false
        /// Whether the store has refused to keep the end, so that the next launch does not know it.
        var endIsUnstored = false
        var killsBefore: Int
    }

    var rule: String { "S4" }
    var statement: String {
        "completed, cancelled and failed are left only when the app runs the session again, and no "
            + "progress or file start is reported after them"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .device(.appKilled):
            killCount += 1
            wanted.removeAll()
        // The system's tasks stop when power is lost, whether or not the app is running.
        case .device(.power): killCount += 1
        case .store(.failed): endsAreUnstored(inDaemon: false)
        case .daemon(.store(.failed, _)): endsAreUnstored(inDaemon: true)
        case .engine(.moves(let session, let from, let to, _)):
            hasEvidence = true
            judge(session, from: from)
            evidence.decides(
                .silentEnd, if: from == .running && (to == .cancelled || to == .failed))
            sessions[session] = Session(stage: to, killsBefore: killCount)
        case .engine(.found(let session, let stage)):
            judge(session, isNow: stage, wasFound: true)
            let isToldEnd = sessions[session].map { $0.endIsTold && $0.stage.isTerminal } ?? false
            evidence.decides(.endAcrossLaunches, if: isToldEnd)
            sessions[session] = Session(
                stage: stage, endIsTold: stage.isTerminal && session.facade != .background,
                killsBefore: killCount)
        case .queue(.asked(let session, .run)): wanted.insert(session)
        case .queue(.started):
            // any order: whether there is one
            let hasEnded = sessions.contains {
                $0.key.facade == .queue && $0.value.stage.isTerminal
            }
            evidence.decides(.staysEnded, if: hasEnded)
        case .queue(.callback(let session, .willActivate)):
            // any order: whether there is one
            let hasFailed = sessions.contains {
                $0.key != session && $0.key.facade == .queue
                    && ($0.value.stage == .failed || $0.value.stage == .cancelled)
            }
            evidence.decides(.staysEnded, if: hasFailed)
        case .operations(.asked(let operation, .retry)): wanted.insert(operation)
        default:
            if event.fact.facade != nil { judge(event.fact) }
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no session changed its state" }

    var clauses: [DecidedClause] { evidence.all }

    private mutating func judge(_ name: ItemName, from: ItemStage) {
        let isWanted = wanted.remove(name) != nil
        if from.isTerminal, !isWanted {
            return watch.fall(
                expected: "\(name) stays \(from.rawValue)", seen: "it leaves \(from.rawValue)")
        }
        judge(name, isNow: from)
    }

    private mutating func judge(
        _ name: ItemName, isNow stage: ItemStage, wasFound: Bool = false
    ) {
        let first = name.facade == .background ? ItemStage.suspended : .waiting
        let session = sessions[name] ?? Session(stage: first, killsBefore: killCount)
        guard stage != session.stage else { return }
        // A kill leaves what the store held (S7): perhaps an earlier state, but no state before an
        // end that the app was told.
        let wasKilled = session.killsBefore < killCount
        // A task that the system found in its store was kept there, and so should be its end.
        let mayBeUndone =
            !session.endIsTold
            || (session.endIsUnstored && !(wasFound && name.facade == .background))
        if wasKilled && mayBeUndone { return }
        watch.fall(
            expected: "\(name) continues from \(session.stage.rawValue)",
            seen: "it continues from \(stage.rawValue)")
    }

    /// Marks untold ends as not stored, by the app or the system; the app hears of an end only
    /// after the store has answered.
    private mutating func endsAreUnstored(inDaemon: Bool) {
        // any order: each is marked by itself
        for (name, session) in sessions where session.stage.isTerminal && !session.endIsTold {
            guard (name.facade == .background) == inDaemon else { continue }
            sessions[name]?.endIsUnstored = true
        }
    }

    /// Judges a callback about an item that has ended.
    private mutating func judge(_ fact: Fact) {
        if let item = fact.itemToldToEnd, sessions[item]?.stage.isTerminal == true {
            sessions[item]?.endIsTold = true
        }
        guard let item = fact.itemToldAtWork, let session = sessions[item],
            session.stage.isTerminal
        else { return }
        let isTask = item.facade == .background
        // Callbacks on their way when a task finished still come before its end.
        if isTask, !session.endIsTold { return }
        let end = isTask ? "has completed" : "is \(session.stage.rawValue)"
        watch.fall(expected: "no data callback of \(item) after it \(end)", seen: fact.sentence)
    }
}

extension TerminalStateIsFinal {
    enum Clause: String, ClauseName {
        /// Decided when a queue starts with an ended session in it, or activates a session beside
        /// a failed or cancelled one: the queue could take it up again.
        case staysEnded = "stays ended"
        /// Decided by an item that is cancelled or fails while it runs: callbacks can be on their
        /// way.
        case silentEnd = "no data after the end"
        /// Decided by an item that a launch finds ended after its app had been told of the end.
        case endAcrossLaunches = "end across launches"

        var sentence: String {
            switch self {
            case .staysEnded: "a queue does not run an ended session again by itself"
            case .silentEnd: "no progress and no file start comes after an item's end"
            case .endAcrossLaunches: "an end that was told is there at the next launch"
            }
        }
    }
}
