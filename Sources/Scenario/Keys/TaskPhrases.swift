import Checks
import Quantities
import RunLog
import RunPlan

/// What can be expected of the tasks of background sessions, and what apps do to them.
enum TaskPhrases {
    static let actions: [Phrase<TimelineEntry.Action>] = TaskStep.allCases.map { step in
        Phrase("task N is \(step.rawValue)") { holes, draft, mistakes in
            draft.task(holes[0], mistakes: &mistakes).map { .task($0, step) }
        }
    }

    static let all: [Phrase<ExpectationPlan>] = [
        Phrase("task N completes within TIME") { holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionCompletes($0, within: .zero...$1) }
        },
        Phrase("task N completes after TIME") { holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionCompletes($0, within: $1...draft.limit) }
        },
        Phrase("task N fails within TIME") { holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionFails($0, code: nil, within: $1) }
        },
        Phrase("task N is cancelled") { holes, draft, mistakes in
            draft.task(holes[0], mistakes: &mistakes).map {
                .sessionFails($0, code: cancelled, within: nil)
            }
        },
        Phrase("task N is told within TIME") { holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .taskIsTold($0, status: nil, within: $1) }
        },
        Phrase("task N is answered STATUS") { holes, draft, mistakes in
            let task = draft.task(holes[0], mistakes: &mistakes)
            let expectation = "a status of HTTP such as 404"
            guard let status = mistakes.count(holes[1], expectation), let task else { return nil }
            guard (100...599).contains(status) else {
                mistakes.add(
                    "there is no status \(status)", at: holes[1].place, expected: expectation)
                return nil
            }
            return .taskIsTold(task, status: Int(status), within: draft.limit)
        },
    ]

    /// The error of a task that was cancelled.
    private static let cancelled = -999

    private static func timed(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes,
        _ plan: (ItemName, TimeSpan) -> ExpectationPlan
    ) -> ExpectationPlan? {
        let task = draft.task(holes[0], mistakes: &mistakes)
        guard let time = draft.reachable(holes[1], mistakes: &mistakes), let task else {
            return nil
        }
        return plan(task, time)
    }
}
