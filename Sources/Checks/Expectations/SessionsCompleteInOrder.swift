import RunLog

/// `sessions complete in order`: all sessions complete, in the order in which the queue accepted
/// them.
struct SessionsCompleteInOrder: Check {
    let rule: String
    let place: String?

    private var watch = Watch()
    private var unfinished: [ItemName] = []
    private var accepted: Set<ItemName> = []
    private var hasEvidence = false

    init(words: String, place: String) {
        rule = words
        self.place = place
    }

    var statement: String { "all sessions complete, in the order of their acceptance" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
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

    func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: hasEvidence ? watch.missingEnd : "no session was accepted")
    }

    private mutating func complete(_ session: ItemName) {
        guard let index = unfinished.firstIndex(of: session) else { return }
        unfinished.remove(at: index)
        guard index > 0, let first = unfinished.first else { return }
        watch.fall(expected: "\(first) completes next", seen: "\(session) completes")
    }
}
