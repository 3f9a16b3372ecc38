import Checks
import Quantities
import RunLog

/// Expectations of sessions: their ends, their states, and what the app is told.
enum SessionPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        Facade.queue.completions("counted from the run's start") + [
            Facade.queue.failure(),
            Phrase("session N fails with error N", "the number of an error of A16") {
                holes, draft in
                let code = holes[1].count(in: 1...59, "the number of an error of A16, such as 4") {
                    "there is no error \($0)"
                }
                return both(draft.any(.queue, holes[0]), code)
                    .map { .sessionFails($0, code: Int($1), within: nil) }
            },
            Phrase("session N is STATE at the end", "its state at that time") { holes, draft in
                both(draft.any(.queue, holes[0]), stage(holes[1]))
                    .map { .sessionStands($0, $1, at: nil) }
            },
            Phrase("session N is STATE at TIME") { holes, draft in
                let state = both(draft.any(.queue, holes[0]), stage(holes[1]))
                return both(state, draft.reachable(holes[2]))
                    .map { .sessionStands($0.0, $0.1, at: $1) }
            },
            Phrase(
                "session N is told CALLBACK before CALLBACK", "the first time of each",
                read: order),
            Phrase(
                "sessions complete in order", "all sessions of the queue",
                means: .sessionsCompleteInOrder),
        ]

    static func callback(_ words: PlacedText) -> CallbackName? {
        let names = CallbackName.allCases.map(\.rawValue)
        return CallbackName(rawValue: words.text)
            ?? words.refuse(
                "“\(words.text)” is not a callback", expected: "one of \(names.list)",
                among: names)
    }

    private static func stage(_ words: PlacedText) -> ItemStage? {
        let names = ItemStage.allCases.map(\.rawValue)
        return ItemStage(rawValue: words.text)
            ?? words.refuse(
                "“\(words.text)” is not a state of a session", expected: "one of \(names.list)",
                among: names)
    }

    private static func order(_ holes: [PlacedText], _ draft: ScenarioDraft) -> ExpectationPlan? {
        let session = draft.any(.queue, holes[0])
        let first = callback(holes[1])
        let second = callback(holes[2])
        guard let session, let first, let second else { return nil }
        guard first != second else {
            return holes[2].refuse(
                "“\(holes[2].text)” cannot come before itself", expected: "two different callbacks")
        }
        return .callbackOrder(session, first, before: second)
    }
}
