import Quantities
package import RunLog

/// S14: "Queue order: one active session; order kept except for run/insert; paused blocks;
/// referenced accounts stay."
///
/// It follows the queue by what the log says of it, and knows at each activation who had to be
/// next.
package struct QueueKeepsOrder: Check {
    private var watch = Watch()
    /// Of all sessions that are in the queue.
    private var order: [ItemName] = []
    private var stages: [ItemName: ItemStage] = [:]
    /// Interrupted ones, and those that the app wants run: the last one is the next.
    private var line: [ItemName] = []
    /// Stopped by the app: each waits for all that waited then, and for a while.
    private var deferrals: [ItemName: Deferral] = [:]
    private var active: ItemName?
    /// The queue is not running.
    private var stands = true
    /// The app wants the active session stopped or cancelled: it is not interrupted.
    private var isEnding = false
    private var unstored = Unpromised<Void>()
    /// After a kill: these may be as they were before their last change.
    private var uncertain: Set<ItemName> = []
    private var saved = SavedItems()
    private var hasEvidence = false

    private struct Deferral: Sendable {
        var behind: [ItemName]
        var notBefore: Instant

        func objection(to now: Instant, behind owed: ItemName?) -> String? {
            if let owed {
                return "\(owed) is activated next, as it waited when the other was stopped"
            }
            return now < notBefore ? "a stopped session waits until \(notBefore)" : nil
        }
    }

    private static let deferralTime = TimeSpan.seconds(5)

    package init() {}

    package var rule: String { "S14" }
    package var statement: String {
        "one session is active at a time, and sessions are activated in the order of the queue, "
            + "after those that were interrupted or that the app wants run; saved accounts and "
            + "sessions are there at the next launch, and an account stays that a session refers to"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if let fall = saved.read(event) {
            hasEvidence = true
            watch.fall(expected: fall.expected, seen: fall.seen)
        }
        switch event.fact {
        case .engine(.accepts(let session, let index, _)) where session.facade == .queue:
            guard stages[session] == nil else { return }
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
        // Who was lost with a damaged store is in no queue any more.
        case .store(.setAside(_, _, let kept, _)):
            order.removeAll { !kept.contains($0) }
            line.removeAll { !kept.contains($0) }
        case .store(let fact): unstored.read(fact)
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "no session was activated")
    }

    // MARK: What moves the line

    private mutating func enter(_ session: ItemName, _ stage: ItemStage) {
        stages[session] = stage
        unstored.add((), of: session)
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
        // One that waits has nothing to stop.
        if wish == .stop, stages[session] == .waiting { return }
        unstored.add((), of: session)
        switch wish {
        case .run:
            guard session != active || !isUnderWay(session) else { return }
            leaveLine(session)
            // Who is active comes back when it has ended, unless its end is decided already.
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
            judge(activating: session, at: now)
            active = session
            isEnding = false
            leaveLine(session)
        case .didDeactivate(let outcome):
            guard active == session else { return }
            active = nil
            isEnding = false
            switch outcome {
            case .stopped(by: .expiry), .stopped(by: .queue), .stopped(by: .preemption):
                putBack(session)
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

    /// Not when its end is decided, which the store has yet to keep.
    private func isUnderWay(_ session: ItemName) -> Bool {
        switch stages[session] {
        case .running, .retrying, .paused: true
        case .waiting, .preempted, .preemptedPaused, .suspended, .cancelled, .completed, .failed,
            nil:
            false
        }
    }

    /// Interrupted, and first in line: but behind those that the app has wanted since.
    private mutating func putBack(_ session: ItemName) {
        if !line.contains(session), stages[session]?.isTerminal == false { line.append(session) }
    }

    /// What is put in front of the one with which a queue that stands would go on comes first (A8).
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
        if let active, stages[active]?.isTerminal != true { putBack(active) }
        active = nil
        isEnding = false
        stands = true
        deferrals.removeAll()
        uncertain.formUnion(unstored.entries.map(\.item))
    }

    // MARK: Who had to be next

    private mutating func judge(activating session: ItemName, at now: Instant) {
        defer { uncertain.remove(session) }
        if let active {
            return watch.fall(
                expected: "\(active) is deactivated before another session is activated",
                seen: "\(session) is activated beside it")
        }
        // It may have been said to be running already.
        let waiting = order.filter {
            deferrals[$0] == nil
                && (stages[$0] == .waiting || $0 == session && stages[$0]?.isTerminal == false)
        }
        guard let next = line.last ?? waiting.first, next != session,
            !uncertain.contains(session), !uncertain.contains(next)
        else { return }
        if line.isEmpty, let deferral = deferrals[session] {
            let owed = deferral.behind.first { waiting.contains($0) }
            guard let reason = deferral.objection(to: now, behind: owed) else { return }
            return watch.fall(expected: reason, seen: "\(session) is activated at \(now)")
        }
        watch.fall(
            expected: "\(next) is activated next, as "
                + (line.isEmpty
                    ? "it stands first in the queue" : "it was interrupted or is to be run now"),
            seen: "\(session) is activated")
    }
}
