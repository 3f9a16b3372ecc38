import Quantities
import RunLog

/// `task N is delayed by TIME`: the delay of a task that was made in the background (B11).
struct TaskIsDelayed: Check {
    let rule: String
    let place: String?
    private let task: ItemName
    private let delay: TimeSpan

    private var watch = Watch()
    private var seen: TimeSpan?

    init(_ task: ItemName, by delay: TimeSpan, words: String, place: String) {
        self.task = task
        self.delay = delay
        rule = words
        self.place = place
    }

    var statement: String {
        "\(task) is delayed by \(delay), because it was made in the background"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .engine(.delays(task, let by)) where seen == nil:
            seen = by
            guard by != delay else { return }
            watch.fall(expected: statement, seen: "it is delayed by \(by)")
        case .run(.ended) where seen == nil:
            watch.fall(expected: statement, seen: "it is not delayed")
        default: break
        }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }
}
