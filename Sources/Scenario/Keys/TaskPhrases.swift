import Checks
import RunLog
import RunPlan

/// Phrases about background tasks: expectations, and actions of apps.
enum TaskPhrases {
    private static let tasks = Facade.background

    static let actions = tasks.actions(
        "the app asks this of a background session, if it is running; numbers count the "
            + "tasks of all apps")

    /// Actions of an app's rules, by the app's own count.
    static let commands = tasks.commands(
        "`make` makes a task that was not made at the first launch; the other actions act on "
            + "a task that exists. A task that is made in the background waits for 60 "
            + "s, and twice as long after each time that its app was woken")

    static let occasions: [Phrase<AppPlan.Occasion>] =
        [
            Phrase(
                "on woken",
                "the system runs the app in the background, because one of its sessions has events",
                means: .woken),
            Phrase("on tasks lost", "the system's store was damaged", means: .tasksLost),
            Phrase(
                "on downloaded task N", "the downloaded file is there until the callback returns"
            ) { holes, draft in
                let number = holes[0]
                let task = number.checked(
                    draft.own(tasks, number),
                    expected: "“on completed task \(number.text)”, or the number of a download"
                ) { draft.isDownload($0) ? nil : "task \(number.text) downloads nothing" }
                return task.map { .downloaded($0) }
            },
        ]
        + tasks.occasions(
            completed: "the server has answered, with any status",
            failed: "the transport failed, or the file cannot be read")

    static let all: [Phrase<ExpectationPlan>] =
        tasks.completions("the server has answered, with any status") + [
            tasks.failure("the transport failed, or the file cannot be read"),
            tasks.failure("is cancelled", code: -999),
            // The system has retried for a week.
            tasks.failure("times out", code: -1001),
            tasks.timed("is told within", "the app hears that the task has completed") {
                task, time, _ in .taskIsTold(task, status: nil, within: time)
            },
            Phrase(
                "the handler is called within TIME",
                "each completion handler that the system gives an app for its background "
                    + "sessions, counted from then on; at least one is given"
            ) { holes, _ in
                holes[0].time().map { .handlerIsCalled(within: $0) }
            },
            Phrase(
                "task N is delayed by TIME",
                "it was made in the background, and the system holds it back this long"
            ) { holes, draft in
                both(draft.any(tasks, holes[0]), holes[1].time())
                    .map { .taskIsDelayed($0, by: $1) }
            },
            Phrase(
                "task N is answered STATUS",
                "the app hears that the task has completed with this status"
            ) { holes, draft in
                both(draft.any(tasks, holes[0]), holes[1].status("an HTTP status such as 404"))
                    .map { .taskIsTold($0, status: $1, within: draft.limit) }
            },
        ]
}

extension ScenarioDraft {
    /// Whether a task is a download; true if it could not be read.
    fileprivate func isDownload(_ task: ItemName) -> Bool {
        guard app.tasks.count == Int(counts[.background]) else { return true }
        if case .download = app.tasks[Int(task.number) - 1].transfer { return true }
        return false
    }
}
