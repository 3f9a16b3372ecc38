import RunLog
import RunPlan
import TransferEngine

/// Commands to a queue, by the user or by an app's rules.
enum QueueCommands {
    /// Commands in a timeline: sessions have their numbers in the whole file.
    static let actions: [Phrase<TimelineEntry.Action>] =
        (phrases(by: .file) + [
            Phrase(
                "enqueue session N",
                "a session that the first launch did not enqueue is added to the queue, or only "
                    + "kept"
            ) { holes, draft in
                draft.notEnqueued(holes[0], by: .file).map { .item(.begin, $0) }
            },
            Phrase("save session N") { holes, draft in
                draft.notEnqueued(holes[0], by: .file).map { .save(Int($0.number)) }
            },
            Phrase(
                "session N loses its last file",
                "the app edits a session that is not in the queue; the store has the change when "
                    + "the session is saved or enqueued"
            ) { holes, draft in
                draft.notEnqueued(holes[0], by: .file).map { .shorten(Int($0.number)) }
            },
            Phrase(
                "app stops listening", "its delegates and observers are taken away",
                means: .listen(false)),
            Phrase(
                "app listens again",
                "it sets delegates and observers anew, with or without earlier ones",
                means: .listen(true)),
        ]).map { $0.map { .asks($0) } }

    private static func index(_ words: PlacedText) -> Int? {
        words.count(in: 0..<1_000_000, "an index of the queue, counted from 0") {
            "no queue has an index \($0)"
        }.map { Int($0) }
    }

    static func phrases(by numbering: Numbering) -> [Phrase<AppPlan.Command>] {
        [
            Phrase("start queue", "the queue runs its sessions", means: .start),
            Phrase("stop queue", "the active session stops first, then the queue", means: .stop),
            Phrase(
                "ask for no background time",
                "the queue's transfers are not declared to the system, and stand still when the "
                    + "app is suspended",
                means: .demarcate(false)),
            Phrase("ask for background time", "as it is at each launch", means: .demarcate(true)),
            AccountKeys.command,
        ] + IdentityKeys.commands + [
            Phrase("move session N to index N", "its new place in the queue, counted from 0") {
                holes, draft in
                both(draft.item(.queue, holes[0], by: numbering), index(holes[1]))
                    .map { .move(Int($0.number), toIndex: $1) }
            },
            Phrase(
                "insert session N at index N",
                "a session that the first launch did not enqueue is added before the one at this "
                    + "index"
            ) { holes, draft in
                both(draft.notEnqueued(holes[0], by: numbering), index(holes[1]))
                    .map { .insert(Int($0.number), atIndex: $1) }
            },
        ]
            + SettingsKeys.phrases(by: numbering)
            + Facade.queue.steps.filter { $0 != .begin }.map { step in
                Phrase("\(step.rawValue) session N", step.about) { holes, draft in
                    draft.item(.queue, holes[0], by: numbering).map { .item(step, $0) }
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
        case .begin, .suspend, .retry, .terminate, .beginUnlessListed, .putOff: nil
        }
    }
}

extension ScenarioDraft {
    /// Returns a session that the first launch does not enqueue, by its number.
    func notEnqueued(_ words: PlacedText, by numbering: Numbering) -> ItemName? {
        guard let session = item(.queue, words, by: numbering) else { return nil }
        let sessions = sessions(by: numbering)
        // Unreadable entries have been reported already.
        guard sessions.count == sessionCount,
            sessions[Int(session.number) - 1].beginning == .enqueued
        else { return session }
        let remedy = numbering == .file ? "enqueued: no" : "saved: no"
        return words.refuse(
            "session \(words.text) is already enqueued by the first launch",
            expected: "“\(remedy)” under it in the queue")
    }
}
