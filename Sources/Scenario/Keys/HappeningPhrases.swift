import Checks
import RunLog
import RunPlan

/// Expectations of how often something happens, to a session or at all.
enum HappeningPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        sessions + tasks + world + PathPhrases.happenings + ever

    private static let sessions: [Phrase<ExpectationPlan>] =
        ofSessions.flatMap { Facade.queue.counted($0, $1, $2) } + [
            account("is saved", "the app is told") { .accountSaving($0) },
            account("is deleted") { .accountDeletion($0) },
            counted(
                "the queue refuses",
                "the queue refuses a session or a request; destinations may then leave the docroot",
                .refusal),
            counted(
                "the operations refuse",
                "an upload operation or a request about one is refused; destinations may then "
                    + "leave the docroot", .operationRefusal),
        ]

    private static let tasks: [Phrase<ExpectationPlan>] =
        ofTasks.flatMap { Facade.background.counted($0, $1, $2) } + [
            counted(
                "a background session refuses",
                "it refuses a second session with its identifier, a task from memory, or a "
                    + "request to a finished task", .taskRefusal),
            counted("the app hears of lost tasks", "the system's store was damaged", .taskLoss),
            counted(
                "the app fetches",
                "the system lets it fetch in the background, and it says what has come of it",
                .fetch),
            counted(
                "the app is woken",
                "the system runs it in the background, because one of its sessions has events",
                .waking),
        ]

    private static let world: [Phrase<ExpectationPlan>] = [
        Phrase(
            "session N is told CALLBACK TIMES",
            "the number of these callbacks that the app's delegate receives"
        ) { holes, draft in
            let session = draft.any(.queue, holes[0])
            return both(both(session, SessionPhrases.callback(holes[1])), holes[2].times())
                .map { .happens(.callback($0.0, $0.1), $1) }
        },
        Phrase("PATH is downloaded TIMES", "how often a download brings all of an object") {
            holes, draft in
            both(draft.destination(holes[0]), holes[1].times())
                .map { .happens(.download($0), $1) }
        },
        Phrase("PATH is kept TIMES", "how often an app has what a download brought there") {
            holes, _ in
            holes[1].times().map { .happens(.keeping(holes[0].text), $0) }
        },
        Phrase(
            "session NAME becomes invalid TIMES",
            "how often a background session that the app has invalidated ends"
        ) { holes, draft in
            both(draft.backgroundSession(holes[0]), holes[1].times())
                .map { .happens(.invalidation(session: $0), $1) }
        },
        Phrase("PATH is published TIMES", "how often readers see a new version") {
            holes, draft in
            both(draft.destination(holes[0]), holes[1].times())
                .map { .happens(.publication($0), $1) }
        },
        Phrase(
            "fault NAME takes effect TIMES",
            "the number of requests and restarts that a fault of the server spoils"
        ) { holes, draft in
            both(draft.fault(holes[0]), holes[1].times())
                .map { .happens(.faultEffect($0), $1) }
        },
        Phrase("the server answers STATUS TIMES", "416, 503, …") { holes, _ in
            both(status(holes[0]), holes[1].times()).map { .happens(.answer($0), $1) }
        },
        counted(
            "the server gives a token", "how often a user gets a bearer token at `/token`",
            .tokenIssue),
        counted(
            "the store is set aside", "how often the app is told that its store was damaged",
            .settingAside),
        counted(
            "a phone asks for an address",
            "how often a phone asks a resolver, for IPv6 and for IPv4, repetitions included",
            .nameQuestion),
    ]

    private typealias OfItems = [(String, String?, @Sendable (Subject) -> Happening)]

    private static let ofSessions: OfItems = [
        ("resumes", "an attempt continues where the server is", Happening.resume),
        ("starts over", "an attempt begins at byte 0 again", Happening.startOver),
        ("skips a file", "what the server has is as good", Happening.skip),
        (
            "resumes without proof",
            "it resumes although its policy does not look at all of the source",
            Happening.unprovenResume
        ),
        (
            "falls back",
            "it goes over TCP, as the paced transport is not to be had and it may do without",
            Happening.fallback
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
        ("fails", "it ends in failure; a retry within its budget is no failure", Happening.failure),
    ]

    private static let ofTasks: OfItems = [
        (
            "resumes",
            "an upload continues where the server is, a download at what the system has",
            Happening.resume
        ),
        ("starts over", "an attempt begins at byte 0 again", Happening.startOver),
        ("is tried again", "the system retries by itself", Happening.retry),
        (
            "can be continued", "the app gets what another task needs to continue the download",
            Happening.putOff
        ),
        ("fails", "the transport failed, or the file cannot be read", Happening.failure),
    ]

    /// Expectations that something happens at least once; suites use them.
    static let ever: [Phrase<ExpectationPlan>] = [
        once("a session resumes", .resume(.any(.queue)), "at least once, in any session"),
        once("a session starts over", .startOver(.any(.queue))),
        once("a session skips a file", .skip(.any(.queue))),
        once("a session is tried again", .retry(.any(.queue))),
        once("a session fails", .failure(.any(.queue))),
        once("a session is stopped by expiry", .stopByExpiry(.any(.queue))),
        once("a session is cancelled", .cancel(.any(.queue))),
        once("a session is paused", .pause(.any(.queue))),
        once("a session is preempted", .preemption(.any(.queue))),
        once("a session is removed", .removal(.any(.queue))),
        once("a session is saved", .saving(.any(.queue))),
        once("a session gives up a file", .givingUp(.any(.queue))),
        once("a session resumes without proof", .unprovenResume(.any(.queue))),
        once("a session falls back", .fallback(.any(.queue))),
        once("a task resumes", .resume(.any(.background)), "at least once, in any task"),
        once("a task starts over", .startOver(.any(.background))),
        once("a task is tried again", .retry(.any(.background))),
        once("a task fails", .failure(.any(.background))),
        once("a transfer resumes", .resume(.any(.bucket)), "at least once, in any transfer"),
        once("a transfer starts over", .startOver(.any(.bucket))),
        once("a transfer fails", .failure(.any(.bucket))),
        once("an operation fails", .failure(.any(.operations)), "at least once, in any operation"),
        once("an operation refreshes its token", .tokenRefresh(.any(.operations))),
        once("the queue refuses", .refusal, "at least once"),
        once("two uploads to one object race", .race),
        once("the app is suspended", .suspension),
        once("the app is killed", .kill),
        once("the app is woken", .waking),
        once("the app hears of lost tasks", .taskLoss),
        once("a background session refuses", .taskRefusal),
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
