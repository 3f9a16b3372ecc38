import RunLog

/// The condition of a timeline entry comes true; without it the run does not show what it was made
/// for.
struct ConditionMet: Check {
    let rule: String
    let place: String?
    private let condition: String
    private var isMet = false
    private var watch = Watch()

    init(_ condition: String, words: String, place: String) {
        self.condition = condition
        rule = words
        self.place = place
    }

    var statement: String { "“\(condition)” happens" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .run(.conditionMet(condition)): isMet = true
        case .run(.ended) where !isMet:
            watch.fall(expected: statement, seen: "it had not happened by the run's end")
        default: break
        }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }
}
