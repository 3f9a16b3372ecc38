import Quantities
import RunLog

/// S14: "Queue order: one active session; order kept except for run/insert; paused blocks;
/// referenced accounts stay."
/// The check follows the queue in the log, and knows at each activation which session had to be
/// next.
struct QueueKeepsOrder: Invariant {
    private(set) var watch = Watch()
    /// All sessions in the queue, in order.
    private var order: [ItemName] = []
    private var stages: [ItemName: ItemStage] = [:]
    /// Interrupted sessions and sessions that the app runs explicitly; the last one is next.
    private var line: [ItemName] = []
    /// Stopped sessions. Each waits for some time, and for all sessions that were waiting when it
    /// was stopped.
    private var deferrals: [ItemName: Deferral] = [:]
    private var active: ItemName?
    /// Whether the queue is stopped.
    private var stands = true
    /// Whether the app stops or cancels the active session, so that it does not count as
    /// interrupted.
    private var isEnding = false
    private var unstored = Unpromised<Void>()
    /// Sessions whose last change a kill may have undone.
    private var uncertain: Set<ItemName> = []
    private var saved = SavedItems()
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// Sessions that the app has asked to run and that have not been activated since.
    private var wanted: Set<ItemName> = []
    /// Whether sessions were put elsewhere than at the end, and whether the process has died,
    /// since the last activation.
    private var wasReordered = false
    private var wasCut = false

    private struct Deferral: Sendable {
        var behind: [ItemName]
        var notBefore: Instant
    }

    private static let deferralTime = TimeSpan.seconds(5)

    var rule: String { "S14" }
    var subject: RuleSubject? { .order }
    var statement: String {
        "one session is active at a time, and sessions are activated in queue order, after "
            + "interrupted sessions and sessions that the app runs explicitly; saved accounts "
            + "and sessions are there at the next launch, and an account stays while a session "
            + "refers to it"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if let slip = saved.read(event) {
            hasEvidence = true
            watch.fall(slip)
        }
        switch event.fact {
        case .engine(.accepts(let session, let index, _)) where session.facade == .queue:
            guard stages[session] == nil else { return }
            if let index, index < order.count { wasReordered = true }
            order.insert(session, at: min(index ?? order.count, order.count))
            stages[session] = .waiting
            goInFront(session)
        case .engine(.moves(let session, _, let to, _)) where session.facade == .queue:
            enter(session, to)
        case .engine(.found(let session, let stage)):
            stages[session] = stage
            if stage.isTerminal { leaveLine(session) }
        case .queue(.asked(let session, let wish)): follow(wish, of: session, at: event.at)
        case .queue(.reordered(let session, _, let index)):
            order.removeAll { $0 == session }
            order.insert(session, at: min(index, order.count))
            unstored.add((), of: session)
            wasReordered = true
            goInFront(session)
        case .queue(.started): stands = false
        case .queue(.stopped): stands = true
        case .queue(.callback(let session, let callback)):
            follow(callback, of: session, at: event.at)
        case .device(.appKilled), .device(.appCrashed): cut()
        case .device(.appDataCleared):
            (order, line, stages, deferrals) = ([], [], [:], [:])
            uncertain.removeAll()
            unstored.removeAll()
        // Sessions lost with a damaged store leave the queue.
        case .store(.setAside(_, _, let kept, _)):
            order.removeAll { !kept.contains($0) }
            line.removeAll { !kept.contains($0) }
        case .store(let fact): unstored.read(fact)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no session was activated" }

    var clauses: [DecidedClause] { evidence.all + saved.evidence.all }

    // MARK: Changes of the line

    private mutating func enter(_ session: ItemName, _ stage: ItemStage) {
        stages[session] = stage
        unstored.add((), of: session)
        evidence.decides(
            .pausedBlocks, if: stage == .paused && session == active && hasWaiting(but: session))
        if stage.isTerminal {
            leaveLine(session)
        } else if session == active, !isEnding {
            switch stage {
            case .waiting, .preempted, .preemptedPaused: putBack(session)
            case .running, .retrying, .paused, .suspended, .cancelled, .completed, .failed: break
            }
        }
    }

    private mutating func follow(_ wish: SessionWish, of session: ItemName, at now: Instant) {
        // A waiting session has nothing to stop.
        if wish == .stop, stages[session] == .waiting { return }
        unstored.add((), of: session)
        switch wish {
        case .run:
            guard session != active || !isUnderWay(session) else { return }
            wanted.insert(session)
            leaveLine(session)
            // The active session comes back afterwards, unless its end is already decided.
            if let active, isUnderWay(active) { putBack(active) }
            line.append(session)
        case .stop, .cancel:
            guard stages[session]?.isTerminal == false else { return }
            if session == active { isEnding = true }
            leaveLine(session)
            guard wish == .stop else { return }
            deferrals[session] = Deferral(
                behind: order.filter { stages[$0] == .waiting && $0 != session },
                notBefore: now + Self.deferralTime)
        case .pause, .resume: break
        case .remove: leaveLine(session)
        }
    }

    private mutating func follow(
        _ callback: SessionCallback, of session: ItemName, at now: Instant
    ) {
        switch callback {
        case .willActivate:
            hasEvidence = true
            weigh(activating: session)
            judge(activating: session, at: now)
            active = session
            isEnding = false
            leaveLine(session)
        case .didDeactivate(let outcome):
            guard active == session else { return }
            // The app may have stopped it after it was interrupted, and before it has ended.
            let wasStopped = isEnding
            active = nil
            isEnding = false
            switch outcome {
            case .stopped(by: .expiry), .stopped(by: .queue), .stopped(by: .preemption):
                if !wasStopped { putBack(session) }
            case .stopped(by: .session): break
            case .cancelled: stages[session] = .cancelled
            case .completed: stages[session] = .completed
            case .failed: stages[session] = .failed
            }
        case .row(.removed):
            order.removeAll { $0 == session }
            stages[session] = nil
            leaveLine(session)
        default: break
        }
    }

    /// Whether a session is under way and its end is not decided; the store may not have kept it
    /// yet.
    private func isUnderWay(_ session: ItemName) -> Bool {
        switch stages[session] {
        case .running, .retrying, .paused: true
        case .waiting, .preempted, .preemptedPaused, .suspended, .cancelled, .completed, .failed,
            nil:
            false
        }
    }

    /// Puts an interrupted session first in line, but after sessions that the app has run since.
    private mutating func putBack(_ session: ItemName) {
        if !line.contains(session), stages[session]?.isTerminal == false { line.append(session) }
    }

    /// Lets a session go first if it is moved in front of a stopped queue's next session (A8).
    private mutating func goInFront(_ session: ItemName) {
        guard stands, stages[session] == .waiting, let next = line.last, next != session,
            let place = order.firstIndex(of: session), let other = order.firstIndex(of: next),
            place < other
        else { return }
        leaveLine(session)
        line.append(session)
    }

    private mutating func leaveLine(_ session: ItemName) {
        line.removeAll { $0 == session }
        deferrals[session] = nil
    }

    private mutating func cut() {
        wasCut = true
        wanted.removeAll()
        if let active, stages[active]?.isTerminal != true { putBack(active) }
        active = nil
        isEnding = false
        stands = true
        deferrals.removeAll()
        uncertain.formUnion(unstored.entries.map(\.item))
    }

    // MARK: Judging the next session

    private func hasWaiting(but session: ItemName) -> Bool {
        order.contains { $0 != session && stages[$0] == .waiting }
    }

    /// Counts what another order would have done differently in this activation.
    private mutating func weigh(activating session: ItemName) {
        defer {
            (wasReordered, wasCut) = (false, false)
            wanted.remove(session)
        }
        guard hasWaiting(but: session) else { return }
        evidence.decides(.oneActive)
        let others = order.filter { $0 != session && stages[$0] == .waiting }
        let place = order.firstIndex(of: session) ?? 0
        let isBehind = others.contains { order.firstIndex(of: $0) ?? 0 < place }
        if wanted.contains(session) {
            evidence.decides(.runFirst, if: isBehind)
        } else if line.last == session {
            evidence.decides(.interruptedFirst)
        } else {
            evidence.decides(.order)
            evidence.decides(.reordered, if: wasReordered)
            evidence.decides(.deferred, if: !deferrals.isEmpty)
        }
        evidence.decides(.orderAcrossLaunches, if: wasCut)
    }

    private mutating func judge(activating session: ItemName, at now: Instant) {
        defer { uncertain.remove(session) }
        if let active {
            return watch.fall(
                expected: "\(active) is deactivated before another session is activated",
                seen: "\(session) is activated beside it")
        }
        // The session may already be reported as running.
        let waiting = order.filter {
            deferrals[$0] == nil
                && (stages[$0] == .waiting || $0 == session && stages[$0]?.isTerminal == false)
        }
        guard let next = line.last ?? waiting.first, next != session,
            !uncertain.contains(session), !uncertain.contains(next)
        else { return }
        if line.isEmpty, let deferral = deferrals[session] {
            var expected = "a stopped session waits until \(deferral.notBefore)"
            if let owed = deferral.behind.first(where: waiting.contains) {
                expected =
                    "\(owed) is activated next, because it was waiting when the other session "
                    + "was stopped"
            } else if now >= deferral.notBefore {
                return
            }
            return watch.fall(expected: expected, seen: "\(session) is activated at \(now)")
        }
        watch.fall(
            expected: "\(next) is activated next, because "
                + (line.isEmpty
                    ? "it is first in the queue" : "it was interrupted or the app runs it"),
            seen: "\(session) is activated")
    }
}

extension QueueKeepsOrder {
    /// All but `pausedBlocks` are decided by an activation while other sessions wait: one of them
    /// could be activated instead, or beside it.
    enum Clause: String, ClauseName {
        case oneActive = "one active"
        case order
        /// Decided if the session was interrupted.
        case interruptedFirst = "interrupted first"
        /// Decided if the app runs the session and others wait before it.
        case runFirst = "run goes first"
        /// Decided if sessions were moved, or put in between, since the last activation.
        case reordered = "moved by the app"
        /// Decided if a stopped session has not had its turn.
        case deferred = "stopped goes last"
        /// Decided if it is the first activation of a launch.
        case orderAcrossLaunches = "order across launches"
        /// Decided by each active session that is paused while others wait.
        case pausedBlocks = "paused blocks"

        var sentence: String {
            switch self {
            case .oneActive: "one session is active at a time"
            case .order: "sessions are activated in the order of the queue"
            case .interruptedFirst: "an interrupted session is activated before all others"
            case .runFirst: "a session that the app runs is activated at once"
            case .reordered: "sessions that the app moves are activated in their new order"
            case .deferred: "a stopped session waits for those that were waiting, and 5 s"
            case .orderAcrossLaunches: "the order is the same after a launch"
            case .pausedBlocks: "a paused session blocks the queue"
            }
        }
    }
}
