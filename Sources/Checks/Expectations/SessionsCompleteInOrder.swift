import RunLog

/// `sessions complete in order`: all sessions complete, in the order of their acceptance.
struct SessionsCompleteInOrder: Expectation {
    var watch = Watch()
    var unfinished: [ItemName] = []
    var accepted: Set<ItemName> = []
    var hasEvidence = false

    var statement: String { "all sessions complete, in the order of their acceptance" }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.accepts(let session, _, _)):
            hasEvidence = true
            if accepted.insert(session).inserted { unfinished.append(session) }
        case .run(.ended):
            guard let session = unfinished.first else { return }
            watch.fall(
                expected: statement, seen: "\(session) has not completed when the run ends")
        default: break
        }
        if let session = event.fact.completedSession { complete(session) }
    }

    var reasonNotToJudge: String? { hasEvidence ? watch.missingEnd : "no session was accepted" }

    private mutating func complete(_ session: ItemName) {
        guard let index = unfinished.firstIndex(of: session) else { return }
        unfinished.remove(at: index)
        guard index > 0, let first = unfinished.first else { return }
        watch.fall(expected: "\(first) completes next", seen: "\(session) completes")
    }
}
