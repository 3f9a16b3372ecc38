import Quantities
import RunLog

/// `task N is told within T`, `task N is answered 404`: the app hears that the task has completed.
struct TaskIsTold: Check {
    let rule: String
    let place: String?
    private let task: ItemName
    private let status: Int?
    private let limit: TimeSpan

    private var watch = Watch()
    private var isTold = false

    init(
        _ task: ItemName, status: Int?, within limit: TimeSpan, words: String, place: String
    ) {
        self.task = task
        self.status = status
        self.limit = limit
        rule = words
        self.place = place
    }

    var statement: String {
        "within \(limit) of the run's start the app hears that \(task) has completed"
            + (status.map { ", answered \($0)" } ?? "")
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .background(.callback(task, .didComplete(let end))) where !isTold:
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

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }
}
