package import RunLog

/// S14: "Queue order: one active session; order kept except for run/insert; paused blocks;
/// referenced accounts stay."
package struct QueueKeepsOrder: Check {
    private var watch = Watch()
    /// Accepted sessions whose end is not known, in order of acceptance. One that was running when
    /// the app was killed is first among them by itself: all before it have ended.
    private var line: [ItemName] = []
    /// Ended by the engine's word, but the app is not told yet; a kill may bring them back (S7).
    private var endingUntold: [ItemName] = []
    private var perhapsBack: Set<ItemName> = []
    /// The store has refused to keep their ends; a kill may bring them back even if they are told.
    private var unstored: Set<ItemName> = []
    private var accepted: Set<ItemName> = []
    private var active: ItemName?
    private var hasEvidence = false

    package init() {}

    package var rule: String { "S14" }
    package var statement: String {
        "one session is active at a time, "
            + "and sessions are activated in the order of their acceptance"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .engine(.accepts(let session, _, _)):
            if accepted.insert(session).inserted { line.append(session) }
        case .queue(.callback(let session, .willActivate)):
            hasEvidence = true
            judge(activating: session)
            active = session
        // It is first in line again, as all before it have ended.
        case .queue(.callback(let session, .didDeactivate(.stopped))):
            if active == session { active = nil }
        case .queue(.callback(let session, .didDeactivate)):
            if active == session { active = nil }
            line.removeAll { $0 == session }
            endingUntold.removeAll { $0 == session }
            perhapsBack.remove(session)
        case .engine(.moves(let session, _, let to, _)) where to.isTerminal:
            guard line.contains(session) else { return }
            line.removeAll { $0 == session }
            endingUntold.append(session)
        case .store(.failed): unstored.formUnion(endingUntold)
        case .device(.appKilled):
            active = nil
            perhapsBack.formUnion(endingUntold)
            perhapsBack.formUnion(unstored)
            endingUntold.removeAll()
        case .device(.appDataCleared):
            line.removeAll()
            perhapsBack.removeAll()
            unstored.removeAll()
        case .store(.setAside(_, _, let kept, _)):
            line.removeAll { !kept.contains($0) }
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "no session was activated")
    }

    private mutating func judge(activating session: ItemName) {
        if let active {
            return watch.fall(
                expected: "\(active) is deactivated before another session is activated",
                seen: "\(session) is activated beside it")
        }
        guard let first = line.first, session != first, !perhapsBack.contains(session) else {
            return
        }
        watch.fall(
            expected: "\(first) is activated next, as it was accepted first",
            seen: "\(session) is activated")
    }
}
