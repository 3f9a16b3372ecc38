import Quantities
import RunLog
import RunPlan

/// Conditions of a timeline's entries: a state of a session or the server, or an action of the
/// timeline.
enum TimelineConditions {
    static func read(
        _ words: PlacedText, _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> TimelineCondition? {
        book.read(words, draft: draft, mistakes: &mistakes).map {
            TimelineCondition($0, words: words.text)
        }
    }

    private typealias Kind = TimelineCondition.Kind

    private static let book = PhraseBook<Kind>(name: name, phrases: own + actions)

    /// Conditions that no entry of a timeline causes, for the language page.
    static let shape = PhraseBook<Kind>(name: name, phrases: own).shape

    private static let name = "something to wait for"

    private static let own = sessions + operations + tasks + transfers + server

    private static let sessions: [Phrase<Kind>] = [
        Phrase(
            "session N at AMOUNT",
            "when progress reaches AMOUNT; the app hears of progress at each hundredth of a file"
        ) { holes, draft, mistakes in
            let session = draft.items(.queue).any(holes[0], &mistakes)
            return progress(
                of: session, whose: session.flatMap(draft.file), holes[1], &mistakes)
        },
        Facade.queue.any("starts", "an event of a session of the queue") { .sessionStarts($0) },
        Facade.queue.any("retries") { .sessionRetries($0) },
        Facade.queue.any("fails") { .sessionFails($0) },
        Facade.queue.any("completes") { .sessionCompletes($0) },
        Facade.queue.any("can accept paths", "a persistent session is open") {
            .sessionCanAcceptPaths($0)
        },
    ]

    private static let tasks: [Phrase<Kind>] = [
        Facade.background.any(
            "starts", "an event of a task, whether or not an app is there to hear it"
        ) { .sessionStarts($0) },
        Facade.background.any("retries") { .sessionRetries($0) },
        Facade.background.any("fails") { .sessionFails($0) },
        Facade.background.any("completes") { .sessionCompletes($0) },
    ]

    private static let operations: [Phrase<Kind>] = [
        Phrase("operation N at AMOUNT", "when progress of an upload operation reaches AMOUNT") {
            holes, draft, mistakes in
            let operation = draft.items(.operations).any(holes[0], &mistakes)
            return progress(of: operation, whose: nil, holes[1], &mistakes)
        },
        Facade.operations.any("starts", "an event of an upload operation") { .sessionStarts($0) },
        Facade.operations.any("fails") { .sessionFails($0) },
        Facade.operations.any("completes") { .sessionCompletes($0) },
    ]

    private static let transfers: [Phrase<Kind>] =
        [
            Phrase("transfer N at AMOUNT", "when progress reaches AMOUNT, in whole chunks") {
                holes, draft, mistakes in
                let transfer = draft.items(.bucket).any(holes[0], &mistakes)
                return progress(of: transfer, whose: nil, holes[1], &mistakes)
            }
        ] + TransferPhrases.conditions

    private static let server: [Phrase<Kind>] = [
        Phrase(
            "the server has published PATH", "readers see a new version of the object"
        ) { holes, draft, mistakes in
            draft.destination(holes[0], mistakes: &mistakes).map {
                .published($0)
            }
        }
    ]

    private static let actions: [Phrase<Kind>] = TimelineActions.book.phrases.map { phrase in
        Phrase(phrase.pattern) { holes, draft, mistakes in
            switch phrase.read(holes, draft, &mistakes) {
            case nil: nil
            // Whoever did it.
            case .killApp: .appKilled
            case .launchApp: .appLaunched
            case let action?: .done(action)
            }
        }
    }

    /// Reads `session 1 at 40 %` or `session 1 at 3 MB`; `file` is the session's file, if known.
    private static func progress(
        of session: ItemName?, whose file: PlannedFile?, _ amount: PlacedText,
        _ mistakes: inout Mistakes
    ) -> Kind? {
        guard amount.text.hasSuffix("%") else {
            guard let size = mistakes.size(amount) else { return nil }
            if let session, let file, size > file.size {
                mistakes.add(
                    "\(session) never reaches \(size): its file has \(file.size)",
                    at: amount.place, expected: "a size up to that, or a share such as 40 %")
                return nil
            }
            return session.map { .sessionHasMoved($0, size) }
        }
        guard let chance = mistakes.probability(amount) else { return nil }
        guard chance != .never, let share = hundredths(amount.text) else {
            mistakes.add(
                "“\(amount.text)” is not a share of a file", at: amount.place,
                expected: "from 0.01 % to 100 %, with at most two decimals")
            return nil
        }
        return session.map { .sessionHasShare($0, share) }
    }

    private static func hundredths(_ words: String) -> UInt64? {
        let number = words.prefix { $0 != "%" && $0 != " " }
        guard case .whole(let share)? = DecimalNumber(number)?.times(100) else { return nil }
        return share
    }
}

extension ScenarioDraft {
    fileprivate func file(of session: ItemName) -> PlannedFile? {
        // With unreadable entries, the numbers of the readable ones differ from the file's.
        guard sessions.count == sessionCount, session.number <= UInt64(sessions.count) else {
            return nil
        }
        guard case .upload(let path) = sessions[Int(session.number) - 1].work else { return nil }
        return files.first { $0.path == path.source }
    }
}
