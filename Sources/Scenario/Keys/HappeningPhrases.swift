import Checks
import RunLog
import RunPlan

/// Expectations of how often something happens, to a session or at all.
enum HappeningPhrases {
    static let all =
        ofSessions.map { Facade.queue.counted($0, $1, $2) }
        + [
            account("is saved", "the app is told") { .accountSaving($0) },
            account("is deleted") { .accountDeletion($0) },
            counted("the queue refuses", "the queue refuses a session or a request", .refusal),
        ] + ofTasks.map { Facade.background.counted($0, $1, $2) }
        + [
            counted(
                "a background session refuses",
                "it refuses a second session with its identifier, a task from memory, or a "
                    + "request to a finished task", .taskRefusal),
            counted("the app hears of lost tasks", "the system's store was damaged", .taskLoss),
            Phrase(
                "session N is told CALLBACK TIMES",
                "the number of these callbacks that the app's delegate receives"
            ) { holes, draft in
                let session = draft.any(.queue, holes[0])
                return both(both(session, SessionPhrases.callback(holes[1])), holes[2].times())
                    .map { .happens(.callback($0.0, $0.1), $1) }
            },
            Phrase("PATH is published TIMES", "how often readers see a new version") {
                holes, draft in
                both(draft.destination(holes[0]), holes[1].times())
                    .map { .happens(.publication($0), $1) }
            },
            Phrase("the server answers STATUS TIMES", "416, 503, …") { holes, _ in
                both(status(holes[0]), holes[1].times()).map { .happens(.answer($0), $1) }
            },
            counted(
                "the store is set aside", "how often the app is told that its store was damaged",
                .settingAside),
        ] + PathPhrases.happenings + ever

    private typealias OfItems = [(String, String?, @Sendable (ItemName) -> Happening)]

    private static let ofSessions: OfItems = [
        ("resumes", "an attempt continues where the server is", Happening.resume),
        ("starts over", "an attempt begins at byte 0 again", Happening.startOver),
        ("skips a file", "what the server has is as good", Happening.skip),
        (
            "resumes without proof",
            "it resumes although its policy does not look at all of the source",
            Happening.unprovenResume
        ),
        ("is tried again", "after an error, within its budget", Happening.retry),
        ("is stopped by expiry", "its background time was up", Happening.stopByExpiry),
        (
            "is cancelled",
            "what became of it; a session is preempted if it stops because another session is run",
            Happening.cancel
        ),
        ("is paused", nil, Happening.pause), ("is preempted", nil, Happening.preemption),
        ("is removed", nil, Happening.removal),
        ("is saved", "it is kept outside the queue", Happening.saving),
    ]

    private static let ofTasks: OfItems = [
        (
            "resumes",
            "an upload continues where the server is, a download at what the system has",
            Happening.resume
        ),
        ("starts over", "an attempt begins at byte 0 again", Happening.startOver),
        ("is tried again", "the system retries by itself", Happening.retry),
    ]

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
        ) { holes, _ in
            .happens(.keeping(holes[0].text), .atLeast(1))
        },
        Phrase("the server answers STATUS", "at least once") { holes, _ in
            status(holes[0]).map { .happens(.answer($0), .atLeast(1)) }
        },
    ]

    private static func once(
        _ words: String, _ happening: Happening, _ about: String? = nil
    ) -> Phrase<ExpectationPlan> {
        Phrase(words, about, means: .happens(happening, .atLeast(1)))
    }

    private static func counted(
        _ words: String, _ about: String, _ happening: Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase("\(words) TIMES", about) { holes, _ in
            holes[0].times().map { .happens(happening, $0) }
        }
    }

    private static func account(
        _ words: String, _ about: String? = nil,
        _ happening: @escaping @Sendable (String) -> Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase("account NAME \(words) TIMES", about) { holes, draft in
            let accounts = draft.apps.flatMap(\.app.accounts)
            return both(holes[0].account(among: accounts), holes[1].times())
                .map { .happens(happening($0.name), $1) }
        }
    }

    private static func status(_ words: PlacedText) -> Int? {
        words.status("an HTTP status, such as 416")
    }
}

extension PlacedText {
    /// Reads an HTTP status.
    func status(_ expectation: String) -> Int? {
        count(in: 100...599, expectation) { "there is no status \($0)" }.map { Int($0) }
    }
}
