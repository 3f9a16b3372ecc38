package import RunLog

/// L3: "Every suspended app is at last released or resumed."
///
/// One that has nothing more to do may stay as it is; what others do for it, such as the tasks of
/// its background sessions, is nothing that it has to do, and what is left to its user neither.
package struct SuspendedAppsAreReleased: Check {
    private var watch = Watch()
    private var suspended: [UInt16: UInt32] = [:]
    /// Sessions that are not at their end, by app, as often as they were accepted.
    private var unfinished: [UInt16: [ItemName]] = [:]
    private var user = LeftToTheUser()
    private var hasEvidence = false

    package init() {}

    package var rule: String { "L3" }
    package var statement: String {
        "no app with work left is still suspended when the run ends"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        user.read(event)
        let app = event.app ?? 1
        switch event.fact {
        case .device(.appEntered(let launch, let stage, _)):
            suspended[app] = stage == .suspended ? launch : nil
            if stage == .suspended { hasEvidence = true }
        case .device(.appKilled), .device(.appCrashed):
            suspended[app] = nil
            // Operations end with their process (U7).
            unfinished[app]?.removeAll { $0.facade == .operations }
        // What is gone needs nobody.
        case .device(.appDataCleared): unfinished[app] = nil
        case .store(.setAside(_, _, let kept, _)):
            unfinished[app]?.removeAll { !kept.contains($0) && $0.facade != .operations }
        case .queue(.callback(let session, .row(.removed))):
            unfinished[app]?.removeAll { $0 == session }
        case .engine(.accepts(let session, _, _)) where session.facade != .background:
            unfinished[app, default: []].append(session)
        case .engine(.moves(let session, _, let to, _)):
            guard session.facade == .bucket else {
                if to.isTerminal { unfinished[app]?.removeAll { $0 == session } }
                break
            }
            // One that is suspended waits for its user, and not for the system.
            unfinished[app, default: []].removeAll { $0 == session }
            if to == .running { unfinished[app, default: []].append(session) }
        case .run(.ended): judge()
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: hasEvidence ? watch.missingEnd : "no app was suspended")
    }

    private mutating func judge() {
        for app in suspended.keys.sorted() {
            let session = unfinished[app]?.first { !user.contains($0, networkIsBack: false) }
            guard let session, let launch = suspended[app] else { continue }
            watch.fall(
                expected: "launch \(launch) of the app comes back to finish \(session)",
                seen: "it is still suspended when the run ends")
        }
    }
}
