import RunLog

/// `session 1 resumes once`, `the server answers 416 at most twice`: how often something happens.
struct Happens: Expectation {
    let times: ExpectationPlan.Times
    var counter: HappeningCounter
    var watch = Watch()

    var statement: String { counter.happening.words(times) }

    mutating func read(_ event: RunEvent) {
        if counter.read(event), times.isExceeded(by: counter.count) { fall() }
        guard case .run(.ended) = event.fact else { return }
        if !times.isMet(by: counter.count) { fall() }
        // “No task fails” says nothing of a run without tasks.
        guard case .any(let facade) = counter.happening.subject, counter.count == 0,
            !counter.isAccepted
        else { return }
        watch.fall(expected: statement, seen: "no \(facade.rawValue) was ever accepted")
    }

    private mutating func fall() {
        let happening = counter.happening
        if let item = happening.subject?.item, !counter.isAccepted {
            return watch.fall(expected: statement, seen: "\(item) was never accepted")
        }
        let count = ExpectationPlan.Times.exactly(counter.count)
        watch.fall(expected: statement, seen: "\(happening.words) \(count)")
    }
}
