import RunLog

/// The condition of a timeline entry comes true. Otherwise the run does not show what it must.
struct ConditionMet: Expectation {
    let condition: String
    var isMet = false
    var watch = Watch()

    var statement: String { "“\(condition)” happens" }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .run(.conditionMet(condition)): isMet = true
        case .run(.ended) where !isMet:
            watch.fall(expected: statement, seen: "it had not happened by the run's end")
        default: break
        }
    }
}
