import Quantities
import RunLog
import RunPlan

/// What an entry of a timeline can wait for: a state of a session or of the server, or something
/// that the timeline does itself.
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

    /// Those that no entry of a timeline brings about, for the page about the language.
    static let shape = PhraseBook<Kind>(name: name, phrases: own).shape

    private static let name = "something to wait for"

    private static let own = sessions + operations + tasks + transfers + server

    private static let sessions: [Phrase<Kind>] = [
        Phrase(
            "session N at AMOUNT", "the app is told so: at each hundredth of a file"
        ) { holes, draft, mistakes in
            let session = draft.session(holes[0], mistakes: &mistakes)
            return progress(
                of: session, whose: session.flatMap(draft.file), holes[1], &mistakes)
        },
        session("starts", "a session of the queue does so") { .sessionStarts($0) },
        session("retries") { .sessionRetries($0) },
        session("fails") { .sessionFails($0) },
        session("completes") { .sessionCompletes($0) },
        session("can accept paths", "a persistent session is open") { .sessionCanAcceptPaths($0) },
    ]

    private static let tasks: [Phrase<Kind>] = [
        task(
            "starts", "a task does so, whether or not an app is there to hear it"
        ) { .sessionStarts($0) },
        task("retries") { .sessionRetries($0) },
        task("fails") { .sessionFails($0) },
        task("completes") { .sessionCompletes($0) },
    ]

    private static let operations: [Phrase<Kind>] = [
        Phrase("operation N at AMOUNT", "so much of an upload operation") {
            holes, draft, mistakes in
            let operation = draft.operations.any(holes[0], &mistakes)
            return progress(of: operation, whose: nil, holes[1], &mistakes)
        },
        operation("starts", "an upload operation does so") { .sessionStarts($0) },
        operation("fails") { .sessionFails($0) },
        operation("completes") { .sessionCompletes($0) },
    ]

    private static let transfers: [Phrase<Kind>] =
        [
            Phrase("transfer N at AMOUNT", "in whole chunks") { holes, draft, mistakes in
                let transfer = draft.transfers.any(holes[0], &mistakes)
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
            // Whoever it was that did it.
            case .killApp: .appKilled
            case .launchApp: .appLaunched
            case let action?: .done(action)
            }
        }
    }

    private static func session(
        _ verb: String, _ about: String? = nil,
        _ kind: @escaping @Sendable (ItemName) -> Kind
    ) -> Phrase<Kind> {
        Phrase("session N \(verb)", about) { holes, draft, mistakes in
            draft.session(holes[0], mistakes: &mistakes).map(kind)
        }
    }

    private static func operation(
        _ verb: String, _ about: String? = nil,
        _ kind: @escaping @Sendable (ItemName) -> Kind
    ) -> Phrase<Kind> {
        Phrase("operation N \(verb)", about) { holes, draft, mistakes in
            draft.operations.any(holes[0], &mistakes).map(kind)
        }
    }

    private static func task(
        _ verb: String, _ about: String? = nil,
        _ kind: @escaping @Sendable (ItemName) -> Kind
    ) -> Phrase<Kind> {
        Phrase("task N \(verb)", about) { holes, draft, mistakes in
            draft.tasks.any(holes[0], &mistakes).map(kind)
        }
    }

    /// `session 1 at 40 %`, `session 1 at 3 MB`; `file` is what it moves, if that is known.
    private static func progress(
        of session: ItemName?, whose file: PlannedFile?, _ amount: PlacedText,
        _ mistakes: inout Mistakes
    ) -> Kind? {
        guard amount.text.hasSuffix("%") else {
            guard let size = mistakes.size(amount) else { return nil }
            if let session, let file, size > file.size {
                mistakes.add(
                    "\(session) never comes to \(size): its file has \(file.size)",
                    at: amount.place, expected: "a size up to that, or a share such as 40 %")
                return nil
            }
            return session.map { .sessionHasMoved($0, size) }
        }
        guard let chance = mistakes.probability(amount) else { return nil }
        guard chance != .never, let share = hundredths(amount.text) else {
            mistakes.add(
                "“\(amount.text)” is no share of a file", at: amount.place,
                expected: "from 0.01 % to 100 %, to the hundredth")
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
        // With unreadable entries the numbers of the readable ones are not those of the file.
        guard sessions.count == sessionCount, session.number <= UInt64(sessions.count) else {
            return nil
        }
        guard case .upload(let path) = sessions[Int(session.number) - 1].work else { return nil }
        return files.first { $0.path == path.source }
    }
}
