import RunLog

/// `sessions complete in order`: all sessions of the queue complete, in the order of their
/// acceptance. Each app has a queue of its own.
struct SessionsCompleteInOrder: Expectation {
    var watch = Watch()
    /// Unfinished sessions in order, by app.
    var unfinished: [[ItemName]] = []
    /// The stage of each accepted session.
    var stages: [ItemName: ItemStage] = [:]
    var hasEvidence = false

    var statement: String { "all sessions complete, in the order of their acceptance" }

    var subject: RuleSubject? { .order }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.accepts(let session, _, _)) where session.facade == .queue:
            hasEvidence = true
            let app = Int(event.app ?? 1) - 1
            while unfinished.count <= app { unfinished.append([]) }
            guard stages[session] == nil else { return }
            stages[session] = .waiting
            unfinished[app].append(session)
        case .engine(.moves(let session, _, let stage, _)) where stages[session] != nil:
            stages[session] = stage
        case .run(.ended):
            guard let session = unfinished.lazy.compactMap(\.first).first else { return }
            watch.fall(
                expected: statement, seen: "\(session) has not completed when the run ends")
        default: break
        }
        if let session = event.fact.completedSession { complete(session) }
    }

    var reasonNotToJudge: String? { hasEvidence ? watch.missingEnd : "no session was accepted" }

    private mutating func complete(_ session: ItemName) {
        guard let app = unfinished.firstIndex(where: { $0.contains(session) }),
            let index = unfinished[app].firstIndex(of: session)
        else { return }
        unfinished[app].remove(at: index)
        guard index > 0, let first = unfinished[app].first else { return }
        let stage = stages[first].map { "is \($0.rawValue)" } ?? "has not begun"
        watch.fall(
            expected: "\(first) completes next",
            seen: "\(session) overtakes it: it completes while \(first) \(stage)")
    }
}
