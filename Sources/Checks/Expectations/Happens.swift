import RunLog

/// `session 1 resumes once`, `the server answers 416 at most twice`: how often something happens.
struct Happens: Expectation {
    let times: ExpectationPlan.Times
    var counter: HappeningCounter
    var watch = Watch()

    var statement: String { "\(counter.happening.words) \(times)" }

    mutating func read(_ event: RunEvent) {
        if counter.read(event), times.isExceeded(by: counter.count) { fall() }
        if case .run(.ended) = event.fact, !times.isMet(by: counter.count) { fall() }
    }

    private mutating func fall() {
        let happening = counter.happening
        if let session = happening.session, !counter.isAccepted {
            return watch.fall(expected: statement, seen: "\(session) was never accepted")
        }
        let count = ExpectationPlan.Times.exactly(counter.count)
        watch.fall(expected: statement, seen: "\(happening.words) \(count)")
    }
}
