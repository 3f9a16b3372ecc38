import Checks
import RunLog
import RunPlan

/// Expectations of how often something happens, to a session or at all.
enum HappeningPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        [
            Facade.queue.counted("resumes", "an attempt continues where the server is") {
                .resume($0)
            },
            Facade.queue.counted("starts over", "an attempt begins at byte 0 again") {
                .startOver($0)
            },
            Facade.queue.counted("skips a file", "what the server has is as good") { .skip($0) },
            Facade.queue.counted(
                "resumes without proof",
                "it resumes although its policy does not look at all of the source"
            ) { .unprovenResume($0) },
            Facade.queue.counted("is tried again", "after an error, within its budget") {
                .retry($0)
            },
            Facade.queue.counted("is stopped by expiry", "its background time was up") {
                .stopByExpiry($0)
            },
            Facade.queue.counted(
                "is cancelled",
                "what became of it; a session is preempted if it stops because another session "
                    + "is run"
            ) { .cancel($0) },
            Facade.queue.counted("is paused") { .pause($0) },
            Facade.queue.counted("is preempted") { .preemption($0) },
            Facade.queue.counted("is removed") { .removal($0) },
            Facade.queue.counted("is saved", "it is kept outside the queue") { .saving($0) },
            account("account NAME is saved", "the app is told") { .accountSaving($0) },
            account("account NAME is deleted") { .accountDeletion($0) },
            Phrase(
                "the queue refuses TIMES",
                "the queue refuses a session or a request"
            ) { holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.refusal, $0) }
            },
            Facade.background.counted(
                "resumes",
                "an upload continues where the server is, a download at what the system has"
            ) {
                .resume($0)
            },
            Facade.background.counted("starts over", "an attempt begins at byte 0 again") {
                .startOver($0)
            },
            Facade.background.counted("is tried again", "the system retries by itself") {
                .retry($0)
            },
            Phrase(
                "a background session refuses TIMES",
                "it refuses a second session with its identifier, a task from memory, or a "
                    + "request to a finished task"
            ) { holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.taskRefusal, $0) }
            },
            Phrase("the app hears of lost tasks TIMES", "the system's store was damaged") {
                holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.taskLoss, $0) }
            },
            Phrase(
                "session N is told CALLBACK TIMES",
                "the number of these callbacks that the app's delegate receives",
                read: callback),
            Phrase("PATH is published TIMES", "how often readers see a new version") {
                holes, draft, mistakes in
                let times = mistakes.times(holes[1])
                guard let object = draft.destination(holes[0], mistakes: &mistakes), let times
                else { return nil }
                return .happens(.publication(object), times)
            },
            Phrase("the server answers STATUS TIMES", "416, 503, …") { holes, _, mistakes in
                let times = mistakes.times(holes[1])
                guard let status = status(holes[0], &mistakes), let times else { return nil }
                return .happens(.answer(status), times)
            },
            Phrase(
                "the store is set aside TIMES",
                "how often the app is told that its store was damaged"
            ) { holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.settingAside, $0) }
            },
        ] + PathPhrases.happenings + ever

    /// Expectations that something happens at least once; suites use them.
    static let ever: [Phrase<ExpectationPlan>] = [
        once("a session resumes", .resume(nil), "at least once, in any session"),
        once("a session starts over", .startOver(nil)),
        once("a session skips a file", .skip(nil)),
        once("a session is tried again", .retry(nil)),
        once("a session fails", .failure(nil)),
        once("a session is stopped by expiry", .stopByExpiry(nil)),
        once("a session is cancelled", .cancel(nil)),
        once("a session is paused", .pause(nil)),
        once("a session is preempted", .preemption(nil)),
        once("a session is removed", .removal(nil)),
        once("the queue refuses", .refusal, "at least once"),
        once("two uploads to one object race", .race),
        once("the app is suspended", .suspension),
        once("the app is killed", .kill),
        once("the store is set aside", .settingAside),
        Phrase(
            "the app keeps PATH", "the app has what a task or its queue downloaded to PATH"
        ) { holes, _, _ in
            .happens(.keeping(holes[0].text), .atLeast(1))
        },
        Phrase("the server answers STATUS", "at least once") { holes, _, mistakes in
            status(holes[0], &mistakes).map { .happens(.answer($0), .atLeast(1)) }
        },
    ]

    private static func once(
        _ words: String, _ happening: Happening, _ about: String? = nil
    ) -> Phrase<ExpectationPlan> {
        Phrase(words, about) { _, _, _ in .happens(happening, .atLeast(1)) }
    }

    private static func account(
        _ pattern: String, _ about: String? = nil,
        _ happening: @escaping @Sendable (String) -> Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase(pattern + " TIMES", about) { holes, draft, mistakes in
            let times = mistakes.times(holes[1])
            let accounts = draft.apps.flatMap(\.app.accounts)
            guard let account = AccountKeys.account(holes[0], among: accounts, &mistakes),
                let times
            else { return nil }
            return .happens(happening(account.name), times)
        }
    }

    private static func callback(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let session = draft.items(.queue).any(holes[0], &mistakes)
        let name = SessionPhrases.callback(holes[1], &mistakes)
        guard let times = mistakes.times(holes[2]), let session, let name else { return nil }
        return .happens(.callback(session, name), times)
    }

    private static func status(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        let expectation = "an HTTP status, such as 416"
        guard let status = mistakes.count(words, expectation) else { return nil }
        guard (100...599).contains(status) else {
            mistakes.add("there is no status \(status)", at: words.place, expected: expectation)
            return nil
        }
        return Int(status)
    }
}
