import RunLog

/// `PATH holds A or B`: at the end readers see one of several files as it is then, and whole.
struct ObjectHoldsOne: Expectation {
    let object: String
    let sources: [String]
    var answers: [ObjectHolds]

    var watch = Watch()

    init(object: String, sources: [String]) {
        self.object = object
        self.sources = sources
        answers = sources.map { ObjectHolds(object: object, source: $0, number: nil) }
    }

    var statement: String {
        "\(object) holds the latest \(sources.joined(separator: " or ")) in the end"
    }

    var subject: RuleSubject? { .content }

    mutating func read(_ event: RunEvent) {
        for place in answers.indices {
            answers[place].watch.step(to: event)
            answers[place].read(event)
        }
        let breaches = answers.compactMap(\.watch.breach)
        guard case .run(.ended) = event.fact, breaches.count == answers.count else { return }
        watch.fall(expected: statement, seen: breaches[0].seen)
    }
}
