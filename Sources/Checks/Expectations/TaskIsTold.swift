import Quantities
import RunLog

/// `task N is told within T`, `task N is answered 404`: the app hears that the task has completed.
struct TaskIsTold: Expectation {
    let task: ItemName
    let status: Int?
    let limit: TimeSpan

    var watch = Watch()
    var isTold = false

    var statement: String {
        "within \(limit) of the run's start the app hears that \(task) has completed"
            + (status.map { ", answered \($0)" } ?? "")
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .background(.callback(task, .didComplete(let end, _))) where !isTold:
            isTold = true
            if let status, end != .answered(status: status) {
                watch.fall(expected: statement, seen: "\(task) has completed: \(end.sentence)")
            }
            guard event.at.sinceStart > limit else { return }
            watch.fall(expected: statement, seen: "it hears that at \(event.at)")
        case .run(.ended) where !isTold:
            watch.fall(expected: statement, seen: "it has not heard that when the run ends")
        default: break
        }
    }
}
