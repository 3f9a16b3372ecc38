import RunLog
import RunPlan
import TransferEngine

/// What a user can have an app do with its queue, or an app do by itself when it hears of
/// something.
enum QueueCommands {
    /// As the timeline says it: sessions have their numbers in the whole file.
    static let actions: [Phrase<TimelineEntry.Action>] =
        (phrases { words, draft, mistakes in
            draft.session(words, mistakes: &mistakes).map { Int($0.number) }
        }
        + [
            Phrase(
                "enqueue session N",
                "a session that the first launch did not enqueue comes into the queue, or is "
                    + "only kept"
            ) { holes, draft, mistakes in
                draft.notEnqueued(holes[0], &mistakes).map { .enqueue($0) }
            },
            Phrase("save session N") { holes, draft, mistakes in
                draft.notEnqueued(holes[0], &mistakes).map { .save($0) }
            },
        ]).map { $0.map { .asks($0) } }

    /// `number` reads the number of a session.
    static func phrases(
        _ number:
            @escaping @Sendable (PlacedText, ScenarioDraft, inout Mistakes) -> Int?
    ) -> [Phrase<AppPlan.Command>] {
        [
            Phrase("start queue", "the queue runs its sessions") { _, _, _ in .start },
            Phrase("stop queue", "first the active session stops, then the queue") { _, _, _ in
                .stop
            },
            AccountKeys.command,
            Phrase("move session N to index N", "it stands elsewhere in the queue, counted from 0")
            { holes, draft, mistakes in
                let expectation = "an index of the queue, counted from 0"
                let index = mistakes.count(holes[1], expectation)
                guard let number = number(holes[0], draft, &mistakes), let index else {
                    return nil
                }
                guard index < 1_000_000 else {
                    mistakes.add(
                        "no queue has an index \(index)", at: holes[1].place,
                        expected: expectation)
                    return nil
                }
                return .move(number, toIndex: Int(index))
            },
        ]
            + SettingsKeys.phrases(number)
            + SessionWish.allCases.map { verb in
                Phrase("\(verb.rawValue) session N", verb.about) { holes, draft, mistakes in
                    number(holes[0], draft, &mistakes).map { .session(verb, $0) }
                }
            }
    }
}

extension SessionWish {
    /// What comes of it, on the page about the language.
    fileprivate var about: String {
        switch self {
        case .run: "it runs at once, and what was active comes back afterwards"
        case .cancel: "it ends, until somebody runs it"
        case .stop: "it ends, and runs again when all that wait have had their turn"
        case .pause: "it stays active and blocks the queue"
        case .resume: "it goes on"
        case .remove: "it is deleted, unless it is active, in the queue or where it is saved"
        }
    }
}

extension ScenarioDraft {
    /// One that the first launch does not enqueue, by its number in the file.
    fileprivate func notEnqueued(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        let others = device.otherApps + otherPhones.flatMap(\.plan.otherApps)
        let number = session(words, mistakes: &mistakes).map { Int($0.number) }
        return number.flatMap {
            notEnqueued(
                $0, of: sessions + others.flatMap(\.sessions), words, remedy: "enqueued: no",
                &mistakes)
        }
    }

    /// The same of this app alone, as the app itself counts it.
    func ownNotEnqueued(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        let number = ownSession(words, mistakes: &mistakes).map { Int($0.number) }
        return number.flatMap {
            notEnqueued($0, of: sessions, words, remedy: "saved: no", &mistakes)
        }
    }

    private func notEnqueued(
        _ number: Int, of sessions: [PlannedSession], _ words: PlacedText, remedy: String,
        _ mistakes: inout Mistakes
    ) -> Int? {
        // With unreadable entries the fault is there, not here.
        guard sessions.count == sessionCount, sessions[number - 1].beginning == .enqueued else {
            return number
        }
        mistakes.add(
            "session \(words.text) is enqueued by its app itself", at: words.place,
            expected: "“\(remedy)” under it in the queue")
        return nil
    }
}
