import RunLog

/// `session N resumes at least/exactly K times`: the engine goes on at the server's offset.
struct SessionResumes: Check {
    let rule: String
    let place: String?
    private let session: SessionName
    private let times: ExpectationPlan.Times

    private var watch = Watch()
    private var transfers: Set<TransferName> = []
    private var count = 0

    init(_ session: SessionName, _ times: ExpectationPlan.Times, words: String, place: String) {
        self.session = session
        self.times = times
        rule = words
        self.place = place
    }

    var statement: String { "\(session) resumes \(times)" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .queue(.accepted(session, _, let accepted)):
            transfers.formUnion(accepted.map(\.transfer))
        case .engine(.resumes(let transfer, _, _)) where transfers.contains(transfer):
            count += 1
            if times.isExceeded(by: count) { fall() }
        case .run(.ended) where !times.isMet(by: count): fall()
        default: break
        }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }

    private mutating func fall() {
        let seen = "it resumes \(ExpectationPlan.Times.exactly(count))"
        watch.fall(
            expected: statement, seen: transfers.isEmpty ? "\(session) was never accepted" : seen)
    }
}
