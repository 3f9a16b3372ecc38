import Checks
import Quantities
import RunLog

/// Expectations of sessions: their ends, their states, and what the app is told.
enum SessionPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        Facade.queue.completions("counted from the run's start") + [
            Facade.queue.failure(),
            Phrase(
                "session N fails with error N", "the number of an error of A16", read: failure),
            Phrase("session N is STATE at the end", "its state at that time") {
                holes, draft, mistakes in
                let stage = stage(holes[1], &mistakes)
                guard let session = draft.items(.queue).any(holes[0], &mistakes), let stage else {
                    return nil
                }
                return .sessionStands(session, stage, at: nil)
            },
            Phrase("session N is STATE at TIME") { holes, draft, mistakes in
                let stage = stage(holes[1], &mistakes)
                let time = draft.reachable(holes[2], mistakes: &mistakes)
                guard let session = draft.items(.queue).any(holes[0], &mistakes), let stage,
                    let time
                else { return nil }
                return .sessionStands(session, stage, at: time)
            },
            Phrase(
                "session N is told CALLBACK before CALLBACK", "the first time of each",
                read: order),
            Phrase("sessions complete in order", "all sessions of the queue") { _, _, _ in
                .sessionsCompleteInOrder
            },
        ]

    static func callback(_ words: PlacedText, _ mistakes: inout Mistakes) -> CallbackName? {
        if let name = CallbackName(rawValue: words.text) { return name }
        let names = CallbackName.allCases.map(\.rawValue)
        mistakes.add(
            "“\(words.text)” is not a callback", at: words.place, expected: "one of \(names.list)",
            suggestion: Spelling.nearest(to: words.text, among: names).map { "“\($0)”" })
        return nil
    }

    private static func failure(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let session = draft.items(.queue).any(holes[0], &mistakes)
        let expectation = "the number of an error of A16, such as 4"
        guard let code = mistakes.count(holes[1], expectation), let session else { return nil }
        guard (1...59).contains(code) else {
            mistakes.add("there is no error \(code)", at: holes[1].place, expected: expectation)
            return nil
        }
        return .sessionFails(session, code: Int(code), within: nil)
    }

    private static func stage(_ words: PlacedText, _ mistakes: inout Mistakes) -> ItemStage? {
        if let stage = ItemStage(rawValue: words.text) { return stage }
        let names = ItemStage.allCases.map(\.rawValue)
        mistakes.add(
            "“\(words.text)” is not a state of a session", at: words.place,
            expected: "one of \(names.list)",
            suggestion: Spelling.nearest(to: words.text, among: names).map { "“\($0)”" })
        return nil
    }

    private static func order(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let session = draft.items(.queue).any(holes[0], &mistakes)
        let first = callback(holes[1], &mistakes)
        let second = callback(holes[2], &mistakes)
        guard let session, let first, let second else { return nil }
        guard first != second else {
            mistakes.add(
                "“\(holes[2].text)” cannot come before itself", at: holes[2].place,
                expected: "two different callbacks")
            return nil
        }
        return .callbackOrder(session, first, before: second)
    }
}
