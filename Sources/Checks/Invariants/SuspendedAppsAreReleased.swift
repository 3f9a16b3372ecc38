import RunLog

/// L3: "Every suspended app is at last released or resumed."
/// An app without work may stay suspended. Tasks of background sessions do not count as its work,
/// nor do items left to the user.
struct SuspendedAppsAreReleased: Invariant {
    private(set) var watch = Watch()
    private var suspended: [UInt16: UInt32] = [:]
    /// Unfinished sessions by app, once for each time they were accepted.
    private var unfinished: [UInt16: [ItemName]] = [:]
    private var user = LeftToTheUser()
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()

    var rule: String { "L3" }
    var statement: String {
        "no app with work left is still suspended when the run ends"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        user.read(event)
        let app = event.app ?? 1
        switch event.fact {
        case .device(.appEntered(let launch, let stage, _)):
            suspended[app] = stage == .suspended ? launch : nil
            guard stage == .suspended else { return }
            hasEvidence = true
            let isBusy = unfinished[app]?.contains { !user.contains($0, networkIsBack: false) }
            evidence.decides(.resumed, if: isBusy ?? false)
        case .device(.appKilled), .device(.appCrashed):
            suspended[app] = nil
            // Operations end with their process (U7).
            unfinished[app]?.removeAll { $0.facade == .operations }
        // Cleared items need no app.
        case .device(.appDataCleared): unfinished[app] = nil
        case .store(.setAside(_, _, let kept, _)):
            unfinished[app]?.removeAll { !kept.contains($0) && $0.facade != .operations }
        case .queue(.callback(let session, .row(.removed))):
            unfinished[app]?.removeAll { $0 == session }
        case .engine(.accepts(let session, _, _)) where session.facade != .background:
            unfinished[app, default: []].append(session)
        // What the store had not heard of ended with the process.
        case .engine(.found(let item, let stage)) where item.facade == .bucket && stage != .running:
            unfinished[app]?.removeAll { $0 == item }
        case .engine(.moves(let session, _, let to, _)):
            guard session.facade == .bucket else {
                if to.isTerminal { unfinished[app]?.removeAll { $0 == session } }
                break
            }
            // A suspended item waits for its user, not for the system.
            unfinished[app, default: []].removeAll { $0 == session }
            if to == .running { unfinished[app, default: []].append(session) }
        case .run(.ended): judge()
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? watch.missingEnd : "no app was suspended" }

    var clauses: [DecidedClause] { evidence.all }

    private mutating func judge() {
        for app in suspended.keys.sorted() {
            let session = unfinished[app]?.first { !user.contains($0, networkIsBack: false) }
            guard let session, let launch = suspended[app] else { continue }
            watch.fall(
                expected: "launch \(launch) of the app is resumed to finish \(session)",
                seen: "it is still suspended when the run ends")
        }
    }
}

extension SuspendedAppsAreReleased {
    enum Clause: String, ClauseName {
        /// Decided by each suspension of an app with work left.
        case resumed = "suspended with work left"

        var sentence: String { "an app that is suspended with work left is resumed or ends" }
    }
}
