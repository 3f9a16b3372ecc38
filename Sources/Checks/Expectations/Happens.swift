import RunLog

/// `session 1 resumes once`, `the server answers 416 at most twice`: how often something happens.
struct Happens: Check {
    let rule: String
    let place: String?
    private let times: ExpectationPlan.Times
    private var counter: HappeningCounter
    private var watch = Watch()

    init(_ happening: Happening, _ times: ExpectationPlan.Times, words: String, place: String) {
        counter = HappeningCounter(happening)
        self.times = times
        rule = words
        self.place = place
    }

    var statement: String { "\(counter.happening.words) \(times)" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        if counter.read(event), times.isExceeded(by: counter.count) { fall() }
        if case .run(.ended) = event.fact, !times.isMet(by: counter.count) { fall() }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }

    private mutating func fall() {
        let happening = counter.happening
        if let session = happening.session, !counter.isAccepted {
            return watch.fall(expected: statement, seen: "\(session) was never accepted")
        }
        let count = ExpectationPlan.Times.exactly(counter.count)
        watch.fall(expected: statement, seen: "\(happening.words) \(count)")
    }
}
