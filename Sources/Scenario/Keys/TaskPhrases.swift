import Checks
import RunLog
import RunPlan

/// Phrases about background tasks: expectations, and actions of apps.
enum TaskPhrases {
    private static let tasks = Facade.background

    static let actions: [Phrase<TimelineEntry.Action>] =
        tasks.actions(
            "the app asks this of a background session, if it is running; numbers count the "
                + "tasks of all apps. A download that is put off is cancelled, and another task "
                + "can continue it")
        + [
            Phrase(
                "session NAME is invalidated",
                "a background session ends once its tasks have, or all are cancelled first"
            ) { holes, draft in
                draft.backgroundSession(holes[0])
                    .map { .asks(.invalidate(session: $0, cancelling: false)) }
            },
            Phrase("session NAME is invalidated and cancelled") { holes, draft in
                draft.backgroundSession(holes[0])
                    .map { .asks(.invalidate(session: $0, cancelling: true)) }
            },
        ]

    /// Actions of an app's rules, by the app's own count.
    static let commands: [Phrase<AppPlan.Command>] =
        tasks.commands(
            "`make` makes a task that was not made at the first launch; the other actions act on "
                + "a task that exists. A task that is made in the background waits for 60 "
                + "s, and twice as long after each time that its app was woken")
        + [
            Phrase(
                "make task N unless it is listed",
                "the app asks its session for all tasks, and makes the task if none of them has "
                    + "the same request"
            ) { holes, draft in
                draft.own(tasks, holes[0]).map { .item(.beginUnlessListed, $0) }
            },
            Phrase(
                "invalidate session NAME",
                "a background session ends once its tasks have, or all are cancelled first"
            ) { holes, draft in
                draft.backgroundSession(holes[0])
                    .map { .invalidate(session: $0, cancelling: false) }
            },
            Phrase("invalidate and cancel session NAME") { holes, draft in
                draft.backgroundSession(holes[0])
                    .map { .invalidate(session: $0, cancelling: true) }
            },
        ]

    static let occasions: [Phrase<AppPlan.Occasion>] =
        [
            Phrase(
                "on woken",
                "the system runs the app in the background, because one of its sessions has events",
                means: .woken),
            Phrase(
                "on background fetch",
                "the system lets the app fetch, which says at once whether it has done something",
                means: .fetch),
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
    /// Returns the identifier of a background session of the app.
    func backgroundSession(_ words: PlacedText) -> String? {
        let sessions = app.tasks.map(\.session)
        // Tasks that could not be read have been reported.
        let isUnread = sessions.count < Int(counts[.background])
        if isUnread || sessions.contains(words.text) { return words.text }
        return words.refuse(
            "no task is made in the session “\(words.text)”",
            expected: "the identifier of a session of “background”", among: sessions)
    }

    /// Whether a task is a download; true if it could not be read.
    fileprivate func isDownload(_ task: ItemName) -> Bool {
        guard app.tasks.count == Int(counts[.background]) else { return true }
        return switch app.tasks[Int(task.number) - 1].transfer {
        case .download, .resumption: true
        case .upload, .data: false
        }
    }
}
