import RunLog
import RunPlan
import TransferEngine

/// Commands to a queue, by the user or by an app's rules.
enum QueueCommands {
    /// Commands in a timeline: sessions have their numbers in the whole file.
    static let actions: [Phrase<TimelineEntry.Action>] =
        (phrases { words, draft, mistakes in
            draft.items(.queue).any(words, &mistakes).map { Int($0.number) }
        }
        + [
            Phrase(
                "enqueue session N",
                "a session that the first launch did not enqueue is added to the queue, or only "
                    + "kept"
            ) { holes, draft, mistakes in
                draft.notEnqueued(holes[0], &mistakes).map { .item(.begin, ItemName(UInt64($0))) }
            },
            Phrase("save session N") { holes, draft, mistakes in
                draft.notEnqueued(holes[0], &mistakes).map { .save($0) }
            },
        ]).map { $0.map { .asks($0) } }

    /// Makes the phrases; `number` reads the number of a session.
    static func phrases(
        _ number:
            @escaping @Sendable (PlacedText, ScenarioDraft, inout Mistakes) -> Int?
    ) -> [Phrase<AppPlan.Command>] {
        [
            Phrase("start queue", "the queue runs its sessions") { _, _, _ in .start },
            Phrase("stop queue", "the active session stops first, then the queue") { _, _, _ in
                .stop
            },
            AccountKeys.command,
            Phrase("move session N to index N", "its new place in the queue, counted from 0") {
                holes, draft, mistakes in
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
            + Facade.queue.steps.filter { $0 != .begin }.map { step in
                Phrase("\(step.rawValue) session N", step.about) { holes, draft, mistakes in
                    number(holes[0], draft, &mistakes).map {
                        .item(step, ItemName(UInt64($0)))
                    }
                }
            }
    }
}

extension ItemStep {
    /// The consequence, for the language page.
    fileprivate var about: String? {
        switch self {
        case .run: "it runs at once, and the session that was active resumes afterwards"
        case .cancel: "it ends, until `run session N`"
        case .stop: "it ends, and runs again when all waiting sessions have had their turn"
        case .pause: "it stays active and blocks the queue until it is resumed"
        case .resume: "it goes on"
        case .remove: "the session is deleted; the queue refuses while it is active"
        case .begin, .suspend, .retry, .terminate: nil
        }
    }
}

extension ScenarioDraft {
    /// Returns a session that the first launch does not enqueue, by its number in the file.
    fileprivate func notEnqueued(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        let number = items(.queue).any(words, &mistakes).map { Int($0.number) }
        return number.flatMap {
            notEnqueued(
                $0, of: apps.flatMap(\.sessions), words, remedy: "enqueued: no",
                &mistakes)
        }
    }

    /// Returns a session that the first launch does not enqueue, by the app's own count.
    func ownNotEnqueued(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        let number = items(.queue).own(words, &mistakes).map { Int($0.number) }
        return number.flatMap {
            notEnqueued($0, of: sessions, words, remedy: "saved: no", &mistakes)
        }
    }

    private func notEnqueued(
        _ number: Int, of sessions: [PlannedSession], _ words: PlacedText, remedy: String,
        _ mistakes: inout Mistakes
    ) -> Int? {
        // With unreadable entries the mistake is there, not here.
        guard sessions.count == sessionCount, sessions[number - 1].beginning == .enqueued else {
            return number
        }
        mistakes.add(
            "session \(words.text) is already enqueued by the first launch", at: words.place,
            expected: "“\(remedy)” under it in the queue")
        return nil
    }
}
