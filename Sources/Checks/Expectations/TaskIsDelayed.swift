import Quantities
import RunLog

/// `task N is delayed by TIME`: the delay of a task that was made in the background (B11).
struct TaskIsDelayed: Expectation {
    let task: ItemName
    let delay: TimeSpan

    var watch = Watch()
    var seen: TimeSpan?

    var statement: String {
        "\(task) is delayed by \(delay), because it was made in the background"
    }

    mutating func read(_ event: RunEvent) {
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
}
