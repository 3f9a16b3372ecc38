import Quantities
package import RunLog

/// L4: "A failed, cancelled or source-less item never blocks the others (a paused Aspera session is
/// the one exception)."
package struct NothingBlocksTheQueue: Check {
    private var watch = Watch()
    private var queueRuns = false
    private var appLives = false
    /// Suspended, or out of time in the background: no turn is given until it goes on (A11).
    private var appStandsStill = false
    /// In the order in which they were accepted.
    private var waiting: [ItemName] = []
    private var active: ItemName?
    /// Since when nothing is active although somebody waits and could run.
    private var idleSince: Instant?
    /// Who ended last: the one that may be in the way.
    private var lastEnded: ItemName?
    private var hasEvidence = false
    /// The one that may not use the network that there is, and has said so; it says it once,
    /// whatever other networks come that it may not use either.
    private var waitsForNetwork: ItemName?
    private var limits: [ItemName: NetworkLimits] = [:]
    /// The app has stopped these: their turn does not come before (A5).
    private var deferredUntil: [ItemName: Instant] = [:]
    private var stages: [ItemName: ItemStage] = [:]
    private var cellular: Set<UInt16> = []

    /// What the store and the app may take between two sessions.
    private static let longestGap = TimeSpan.seconds(1)
    private static let deferralTime = TimeSpan.seconds(5)

    package init() {}

    package var rule: String { "L4" }
    package var statement: String {
        "while the queue runs, the next session has its turn within \(Self.longestGap) of the end "
            + "of the one before"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        judgeGap(until: event.at)
        switch event.fact {
        case .queue(.started): queueRuns = true
        case .queue(.stopped): queueRuns = false
        case .queue(.asked(let session, .stop)):
            // One that waits has nothing to stop.
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
        case .queue(.callback(let session, .didDeactivate)):
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
            case .active: appStandsStill = false
            case .inactive, .background: break
            }
        case .device(.appKilled), .device(.appCrashed):
            appLives = false
            queueRuns = false
            // What was running waits again.
            if let active, !waiting.contains(active) { waiting.insert(active, at: 0) }
            active = nil
        case .engine(.isLimited(let session, let limits)): self.limits[session] = limits
        case .engine(.waitsForNetwork(let session, _)) where session.facade == .queue:
            waitsForNetwork = session
        case .network(.interface(let number, let terms, _)):
            if terms.isCellular { cellular.insert(number) }
        case .network(.path(let path, _)):
            if let session = waitsForNetwork, mayUse(path, session) { waitsForNetwork = nil }
        default: break
        }
        let isIdle =
            queueRuns && appLives && !appStandsStill && waitsForNetwork == nil && active == nil
            && !waiting.isEmpty
        if !isIdle {
            idleSince = nil
        } else if idleSince == nil {
            idleSince = firstTurn(from: event.at)
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "no session was activated")
    }

    private mutating func enter(_ session: ItemName, _ stage: ItemStage) {
        stages[session] = stage
        let waits = stage == .waiting || stage == .preempted || stage == .preemptedPaused
        waiting.removeAll { $0 == session && !waits }
        if waits, !waiting.contains(session) { waiting.append(session) }
    }

    /// When the first of those that wait may have its turn.
    private func firstTurn(from now: Instant) -> Instant {
        max(now, waiting.map { deferredUntil[$0] ?? now }.min() ?? now)
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
            expected: "\(next) has its turn within \(Self.longestGap), as nothing is active",
            seen: "it still waits \(now - idleSince) after \(culprit)")
    }
}
