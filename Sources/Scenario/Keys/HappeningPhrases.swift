import Checks
import RunLog
import RunPlan

/// What can be expected to happen so and so often, to a session or at all.
enum HappeningPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        [
            counted("session N resumes", "an attempt goes on where the server is") { .resume($0) },
            counted("session N starts over", "an attempt begins at byte 0 again") {
                .startOver($0)
            },
            counted("session N skips a file", "what stands at the server is as good") { .skip($0) },
            counted(
                "session N resumes without proof",
                "it goes on, and its policy does not look at all of the source"
            ) { .unprovenResume($0) },
            counted("session N is tried again", "after an error, within its budget") { .retry($0) },
            counted("session N is stopped by expiry", "its background time was up") {
                .stopByExpiry($0)
            },
            counted(
                "session N is cancelled",
                "what became of it; a session is preempted that stops for another that is run"
            ) { .cancel($0) },
            counted("session N is paused") { .pause($0) },
            counted("session N is preempted") { .preemption($0) },
            counted("session N is removed") { .removal($0) },
            counted("session N is saved", "it is kept and in no queue") { .saving($0) },
            account("account NAME is saved", "the app is told so") { .accountSaving($0) },
            account("account NAME is deleted") { .accountDeletion($0) },
            Phrase(
                "the queue refuses TIMES",
                "a session that it does not take, or something that it does not do"
            ) { holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.refusal, $0) }
            },
            task("task N resumes", "it goes on at what the server, or the system, has") {
                .resume($0)
            },
            task("task N starts over", "an attempt begins at byte 0 again") { .startOver($0) },
            task("task N is tried again", "the system does so by itself") { .retry($0) },
            Phrase(
                "a background session refuses TIMES",
                "a second session of its identifier, a task from memory, what has finished"
            ) { holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.taskRefusal, $0) }
            },
            Phrase("the app hears of lost tasks TIMES", "the system's store was damaged") {
                holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.taskLoss, $0) }
            },
            Phrase(
                "session N is told CALLBACK TIMES", "the app's delegate hears it so often",
                read: callback),
            Phrase("PATH is published TIMES", "readers see a new version so often") {
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
                "the app is told so often that its store was damaged"
            ) { holes, _, mistakes in
                mistakes.times(holes[0]).map { .happens(.settingAside, $0) }
            },
        ] + PathPhrases.happenings + ever

    /// At least once; what a suite must have seen some time is said so.
    static let ever: [Phrase<ExpectationPlan>] = [
        once("a session resumes", .resume(nil), "at least once, in whatever session"),
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
            "the app keeps PATH", "it has what a download brought there, of a task or of its queue"
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

    private static func counted(
        _ pattern: String, _ about: String? = nil,
        _ happening: @escaping @Sendable (ItemName) -> Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase(pattern + " TIMES", about) { holes, draft, mistakes in
            let times = mistakes.times(holes[1])
            guard let session = draft.session(holes[0], mistakes: &mistakes), let times else {
                return nil
            }
            return .happens(happening(session), times)
        }
    }

    private static func account(
        _ pattern: String, _ about: String? = nil,
        _ happening: @escaping @Sendable (String) -> Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase(pattern + " TIMES", about) { holes, draft, mistakes in
            let times = mistakes.times(holes[1])
            let others = draft.device.otherApps + draft.otherPhones.flatMap(\.plan.otherApps)
            let accounts = ([draft.app] + others.map(\.app)).flatMap(\.accounts)
            guard let account = AccountKeys.account(holes[0], among: accounts, &mistakes),
                let times
            else { return nil }
            return .happens(happening(account.name), times)
        }
    }

    private static func task(
        _ pattern: String, _ about: String? = nil,
        _ happening: @escaping @Sendable (ItemName) -> Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase(pattern + " TIMES", about) { holes, draft, mistakes in
            let times = mistakes.times(holes[1])
            guard let task = draft.tasks.any(holes[0], &mistakes), let times else {
                return nil
            }
            return .happens(happening(task), times)
        }
    }

    private static func callback(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let session = draft.session(holes[0], mistakes: &mistakes)
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
