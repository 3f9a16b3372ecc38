import RunLog

/// `object PATH is published N times`.
struct ObjectPublished: Check {
    let rule: String
    let place: String?
    private let object: String
    private let times: Int

    private var watch = Watch()
    private var count = 0

    init(_ object: String, times: Int, words: String, place: String) {
        self.object = object
        self.times = times
        rule = words
        self.place = place
    }

    var statement: String { "\(object) is published \(ExpectationPlan.Times.exactly(times))" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .server(.published(_, object, _, _)):
            count += 1
            if count > times { fall() }
        case .run(.ended) where count < times: fall()
        default: break
        }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }

    private mutating func fall() {
        watch.fall(
            expected: statement, seen: "it is published \(ExpectationPlan.Times.exactly(count))")
    }
}
