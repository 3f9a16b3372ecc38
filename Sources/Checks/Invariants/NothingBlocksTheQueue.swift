import Quantities
import RunLog

/// L4: "A failed, cancelled or source-less item never blocks the others (a paused Aspera session is
/// the one exception)."
struct NothingBlocksTheQueue: Invariant {
    private(set) var watch = Watch()
    private var queueRuns = false
    private var appLives = false
    /// Whether the app is suspended or out of background time, so that no session has a turn (A11).
    private var appStandsStill = false
    /// Waiting sessions in order of their acceptance.
    private var waiting: [ItemName] = []
    private var active: ItemName?
    /// The moment since which no session is active although one could run.
    private var idleSince: Instant?
    /// The session that ended last, and may block the queue.
    private var lastEnded: ItemName?
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// The session that waits for an allowed network. It reports the wait once, even if other
    /// forbidden networks follow.
    private var waitsForNetwork: ItemName?
    private var path: PathTerms?
    private var limits: [ItemName: NetworkLimits] = [:]
    /// Stopped sessions, and the earliest moment of their next turn (A5).
    private var deferredUntil: [ItemName: Instant] = [:]
    private var stages: [ItemName: ItemStage] = [:]
    private var cellular: Set<UInt16> = []
    private var sets = SetsOfFiles()

    /// The longest time that the store and the app may take between two sessions.
    private static let longestGap = TimeSpan.seconds(1)
    private static let deferralTime = TimeSpan.seconds(5)

    var rule: String { "L4" }
    var statement: String {
        "while the queue runs, the next session has its turn within \(Self.longestGap) after the "
            + "end of the previous session, and a failed file stops no other file of its session"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        judgeGap(until: event.at)
        do throws(Slip) { try sets.read(event) } catch { watch.fall(error) }
        switch event.fact {
        case .queue(.started):
            queueRuns = true
            // any order: whether there is one
            let hasEnded = stages.contains { $0.value == .failed || $0.value == .cancelled }
            evidence.decides(.endedHead, if: hasEnded && !waiting.isEmpty)
        case .queue(.stopped): queueRuns = false
        case .queue(.asked(let session, .stop)):
            // A waiting session has nothing to stop.
            if stages[session] ?? .waiting != .waiting {
                deferredUntil[session] = event.at + Self.deferralTime
            }
        case .queue(.callback(let session, .row(.removed))): waiting.removeAll { $0 == session }
        case .engine(.accepts(let session, _, _)) where session.facade == .queue:
            if !waiting.contains(session), session != active { waiting.append(session) }
        case .queue(.callback(let session, .willActivate)):
            hasEvidence = true
            active = session
            waiting.removeAll { $0 == session }
        case .queue(.callback(let session, .didDeactivate(let outcome))):
            // Another session waits, and could be blocked.
            if waiting.contains(where: { $0 != session }) { evidence.decides(Clause(outcome)) }
            if waitsForNetwork == session { waitsForNetwork = nil }
            if active == session { active = nil }
            lastEnded = session
        case .engine(.moves(let session, _, let to, _)) where session.facade == .queue:
            enter(session, to)
        case .engine(.found(let session, let stage)):
            enter(session, stage)
        case .device(.appLaunched):
            appLives = true
            appStandsStill = false
        case .device(.appDataCleared): waiting.removeAll()
        case .store(.setAside(_, _, let kept, _)): waiting.removeAll { !kept.contains($0) }
        case .device(.taskExpires): appStandsStill = true
        case .device(.appEntered(_, let stage, _)):
            switch stage {
            case .suspended: appStandsStill = true
            case .active:
                appStandsStill = false
                hearOfNetwork()
            case .inactive, .background: break
            }
        case .device(.appKilled), .device(.appCrashed):
            appLives = false
            queueRuns = false
            // The running session waits again.
            if let active, !waiting.contains(active) { waiting.insert(active, at: 0) }
            active = nil
        case .engine(.isLimited(let session, let limits)): self.limits[session] = limits
        case .engine(.waitsForNetwork(let session, _)) where session.facade == .queue:
            waitsForNetwork = session
        case .network(.interface(let number, let terms, _)):
            if terms.isCellular { cellular.insert(number) }
        case .network(.path(let path, _)):
            self.path = path
            hearOfNetwork()
        default: break
        }
        weighIdleness(at: event.at)
    }

    /// Notes since when no session is active although one could run.
    private mutating func weighIdleness(at now: Instant) {
        let isIdle =
            queueRuns && appLives && !appStandsStill && waitsForNetwork == nil && active == nil
            && !waiting.isEmpty
        if !isIdle {
            idleSince = nil
        } else if idleSince == nil {
            idleSince = firstTurn(from: now)
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no session was activated" }

    var clauses: [DecidedClause] { evidence.all + sets.evidence.all }

    private mutating func enter(_ session: ItemName, _ stage: ItemStage) {
        stages[session] = stage
        let waits = stage == .waiting || stage == .preempted || stage == .preemptedPaused
        waiting.removeAll { $0 == session && !waits }
        if waits, !waiting.contains(session) { waiting.append(session) }
    }

    /// Returns the earliest turn of the waiting sessions.
    private func firstTurn(from now: Instant) -> Instant {
        max(now, waiting.map { deferredUntil[$0] ?? now }.min() ?? now)
    }

    /// Ends the wait for a network that the session may use. An app that stands still hears of the
    /// network as it is when it goes on, and of none that came and went in between.
    private mutating func hearOfNetwork() {
        guard !appStandsStill, let path, let session = waitsForNetwork, mayUse(path, session)
        else { return }
        waitsForNetwork = nil
    }

    private func mayUse(_ path: PathTerms, _ session: ItemName) -> Bool {
        guard let interface = path.interface else { return false }
        guard let limits = limits[session] else { return true }
        return (!limits.contains(.noCellular) || !cellular.contains(interface))
            && (!limits.contains(.noMetered) || !path.isMetered)
            && (!limits.contains(.noLowData) || !path.isLowData)
    }

    private mutating func judgeGap(until now: Instant) {
        guard let idleSince, let next = waiting.first, now > idleSince + Self.longestGap else {
            return
        }
        let culprit = lastEnded.map { "\($0) has ended" } ?? "the queue was started"
        watch.fall(
            expected:
                "\(next) has its turn within \(Self.longestGap), because no session is active",
            seen: "it still waits \(now - idleSince) after \(culprit)")
    }
}

extension NothingBlocksTheQueue {
    /// All but `endedHead` are decided by the end of an activation while another session waits.
    enum Clause: String, ClauseName {
        case completed = "after a completed one"
        case failed = "after a failed one"
        case cancelled = "after a cancelled one"
        case stopped = "after a stopped one"
        /// Decided by a start of the queue with ended and waiting sessions: the ended one could be
        /// picked for ever.
        case endedHead = "ended ones are passed over"

        init(_ outcome: SessionResult) {
            self =
                switch outcome {
                case .completed: .completed
                case .failed: .failed
                case .cancelled: .cancelled
                case .stopped: .stopped
                }
        }

        var sentence: String {
            switch self {
            case .completed: "the next session has its turn after one that completes"
            case .failed: "the next session has its turn after one that fails"
            case .cancelled: "the next session has its turn after one that is cancelled"
            case .stopped: "the next session has its turn after one that is stopped"
            case .endedHead: "a queue that starts passes over sessions that have ended"
            }
        }
    }
}
