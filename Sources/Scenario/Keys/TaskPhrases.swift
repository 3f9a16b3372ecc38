import Checks
import Quantities
import RunLog
import RunPlan

/// What can be expected of the tasks of background sessions, and what apps do with them.
enum TaskPhrases {
    static let actions: [Phrase<TimelineEntry.Action>] = TaskStep.allCases.map { step in
        Phrase(
            "task N is \(step.rawValue)",
            "the app asks that of a background session, if it runs; the tasks of all apps are "
                + "counted"
        ) { holes, draft, mistakes in
            draft.tasks.any(holes[0], &mistakes).map {
                .asks(.task(step, Int($0.number)))
            }
        }
    }

    /// The same as rules of an app, by its own count.
    static let commands: [Phrase<AppPlan.Command>] = TaskStep.allCases.map { step in
        Phrase(
            "\(step.verb) task N",
            "`make` makes a task that is not made at the first launch; the others are what the "
                + "app can ask of its tasks. A task that is made in the background waits for 60 s, "
                + "and twice as long each time that its app was woken"
        ) { holes, draft, mistakes in
            draft.tasks.own(holes[0], &mistakes).map { .task(step, Int($0.number)) }
        }
    }

    static let occasions: [Phrase<AppPlan.Occasion>] = [
        Phrase(
            "on woken",
            "the system runs the app in the background, as something is there for one of its "
                + "sessions"
        ) { _, _, _ in .woken },
        Phrase("on tasks lost", "the system's store was damaged") { _, _, _ in .tasksLost },
        Phrase("on downloaded task N", "its file is there, until the callback returns") {
            holes, draft, mistakes in
            guard let task = draft.tasks.own(holes[0], &mistakes) else { return nil }
            guard draft.isDownload(task) else {
                mistakes.add(
                    "task \(holes[0].text) downloads nothing", at: holes[0].place,
                    expected: "“on completed task \(holes[0].text)”, or the number of a download")
                return nil
            }
            return .downloaded(task)
        },
        Phrase("on completed task N", "there is an answer, with whatever status") {
            holes, draft, mistakes in
            draft.tasks.own(holes[0], &mistakes).map { .completed($0) }
        },
        Phrase("on failed task N", "an error of the transport, or of the file") {
            holes, draft, mistakes in
            draft.tasks.own(holes[0], &mistakes).map { .failed($0) }
        },
    ]

    static let all: [Phrase<ExpectationPlan>] = [
        Phrase("task N completes within TIME", "the server has answered, with whatever status") {
            holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionCompletes($0, within: .zero...$1) }
        },
        Phrase("task N completes after TIME") { holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionCompletes($0, within: $1...draft.limit) }
        },
        Phrase("task N fails within TIME", "an error of the transport, or of the file") {
            holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionFails($0, code: nil, within: $1) }
        },
        Phrase("task N is cancelled") { holes, draft, mistakes in
            draft.tasks.any(holes[0], &mistakes).map {
                .sessionFails($0, code: cancelled, within: nil)
            }
        },
        Phrase("task N times out") { holes, draft, mistakes in
            draft.tasks.any(holes[0], &mistakes).map {
                .sessionFails($0, code: timedOut, within: nil)
            }
        },
        Phrase("task N is told within TIME", "the app hears that the task has completed") {
            holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .taskIsTold($0, status: nil, within: $1) }
        },
        Phrase("task N is delayed by TIME", "it was made in the background, and waits so long") {
            holes, draft, mistakes in
            let task = draft.tasks.any(holes[0], &mistakes)
            guard let delay = mistakes.time(holes[1]), let task else { return nil }
            return .taskIsDelayed(task, by: delay)
        },
        Phrase(
            "task N is answered STATUS",
            "the app hears that the task has completed with this status"
        ) { holes, draft, mistakes in
            let task = draft.tasks.any(holes[0], &mistakes)
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
    /// The error of one for which the system has tried for a week.
    private static let timedOut = -1001

    private static func timed(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes,
        _ plan: (ItemName, TimeSpan) -> ExpectationPlan
    ) -> ExpectationPlan? {
        let task = draft.tasks.any(holes[0], &mistakes)
        return draft.timed(task, holes[1], &mistakes, plan)
    }
}

extension TaskStep {
    /// As one asks for it.
    var verb: String {
        switch self {
        case .made: "make"
        case .resumed: "resume"
        case .suspended: "suspend"
        case .cancelled: "cancel"
        }
    }
}

extension ScenarioDraft {
    /// Of one that could not be read nobody knows.
    fileprivate func isDownload(_ task: ItemName) -> Bool {
        guard app.tasks.count == taskCount else { return true }
        if case .download = app.tasks[Int(task.number) - 1].transfer { return true }
        return false
    }
}
