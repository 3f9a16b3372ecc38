import Quantities
import RunLog
import RunPlan

/// Conditions of a timeline's entries: a state of a session or the server, or an action of the
/// timeline.
enum TimelineConditions {
    static func read(_ words: PlacedText, _ draft: ScenarioDraft) -> TimelineCondition? {
        book.read(words, draft).map { TimelineCondition($0, words: words.text) }
    }

    private typealias Kind = TimelineCondition.Kind

    private static let book = PhraseBook<Kind>(name: name, phrases: own + actions)

    /// Conditions that no entry of a timeline causes, for the language page.
    static let shape = PhraseBook<Kind>(name: name, phrases: own).shape

    private static let name = "something to wait for"

    private static let own = sessions + operations + tasks + transfers + server

    private static let sessions =
        [
            Facade.queue.progress(
                "when progress reaches AMOUNT; the app hears of progress at each hundredth of a "
                    + "file"
            ) { draft, session in draft.file(of: session) }
        ]
        + Facade.queue.conditions(starts: "an event of a session of the queue", retries: true)
        + [
            Facade.queue.any("can accept paths", "a persistent session is open") {
                .sessionCanAcceptPaths($0)
            }
        ]

    private static let tasks =
        [Facade.background.progress("when progress of a task reaches AMOUNT")]
        + Facade.background.conditions(
            starts: "an event of a task, whether or not an app is there to hear it", retries: true)

    private static let operations =
        [Facade.operations.progress("when progress of an upload operation reaches AMOUNT")]
        + Facade.operations.conditions(starts: "an event of an upload operation")

    private static let transfers =
        [Facade.bucket.progress("when progress reaches AMOUNT, in whole chunks")]
        + TransferPhrases.conditions

    private static let server: [Phrase<Kind>] = [
        Phrase(
            "the server has published PATH", "readers see a new version of the object"
        ) { holes, draft in
            draft.destination(holes[0]).map { .published($0) }
        },
        Phrase(
            "fault NAME takes effect", "each request or restart that a fault of the server spoils"
        ) { holes, draft in
            draft.fault(holes[0]).map { .faultTakesEffect($0) }
        },
    ]

    private static let actions: [Phrase<Kind>] = TimelineActions.book.phrases.map { phrase in
        Phrase(phrase.pattern.text) { holes, draft in
            switch phrase.read(holes, draft) {
            case nil: nil
            // Anything may have killed or launched the app.
            case .killApp: .appKilled
            case .launchApp: .appLaunched
            case let action?: .done(action)
            }
        }
    }
}

extension Facade {
    /// `session 1 at 40 %` or `session 1 at 3 MB`; `file` returns the item's file, if known.
    fileprivate func progress(
        _ about: String,
        of file: @escaping @Sendable (ScenarioDraft, ItemName) -> PlannedFile? = { _, _ in nil }
    ) -> Phrase<TimelineCondition.Kind> {
        Phrase("\(rawValue) N at AMOUNT", about) { holes, draft in
            let item = draft.any(self, holes[0])
            let amount = holes[1]
            guard amount.text.hasSuffix("%") else {
                let file = item.flatMap { file(draft, $0) }
                let size = amount.size(expected: "a size up to that, or a share such as 40 %") {
                    guard let item, let file, $0 > file.size else { return nil }
                    return "\(item) never reaches \($0): its file has \(file.size)"
                }
                return both(item, size).map { .sessionHasMoved($0, $1) }
            }
            return both(item, amount.hundredths()).map { .sessionHasShare($0, $1) }
        }
    }
}

extension PlacedText {
    /// Reads a share of a file, in hundredths of a percent.
    fileprivate func hundredths() -> UInt64? {
        guard let chance = probability() else { return nil }
        let number = text.prefix { $0 != "%" && $0 != " " }
        guard chance != .never, case .whole(let share)? = DecimalNumber(number)?.times(100) else {
            return refuse(
                "“\(text)” is not a share of a file",
                expected: "from 0.01 % to 100 %, with at most two decimals")
        }
        return share
    }
}

extension ScenarioDraft {
    fileprivate func file(of session: ItemName) -> PlannedFile? {
        // With unreadable entries, the numbers of the readable ones differ from the file's.
        guard sessions.count == sessionCount, session.number <= UInt64(sessions.count) else {
            return nil
        }
        guard case .upload(let paths) = sessions[Int(session.number) - 1].work, paths.count == 1
        else { return nil }
        return files.first { $0.path == paths[0].source }
    }
}
