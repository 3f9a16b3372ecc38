import Checks
import Quantities
import RunLog

/// The key `expect`: what must hold in this run, besides the invariants that hold in every run.
enum ExpectationKeys {
    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a list of expectations such as “- session 1 completes within 30 s”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation),
                let plan = phrases.read(words, draft: draft, mistakes: &mistakes)
            else { continue }
            guard !draft.expectations.contains(where: { $0.plan == plan }) else {
                mistakes.add(
                    "“\(words.text)” is expected twice", at: words.place, expected: "each once")
                continue
            }
            draft.expectations.append(
                Scenario.Expectation(
                    plan: plan, words: words.text,
                    place: mistakes.words(for: words.place)))
        }
    }

    static let shape = Shape.list(of: phrases.shape)

    /// Everything that can be expected; a new expectation is one more phrase.
    private static let phrases = PhraseBook<ExpectationPlan>(
        name: "an expectation",
        phrases: [
            Phrase("session N completes within TIME", read: completion),
            Phrase("session N resumes at least TIMES") { holes, draft, mistakes in
                resumption(holes, draft, &mistakes) { .atLeast($0) }
            },
            Phrase("session N resumes exactly TIMES") { holes, draft, mistakes in
                resumption(holes, draft, &mistakes) { .exactly($0) }
            },
            Phrase("session N resumes TIMES") { holes, draft, mistakes in
                resumption(holes, draft, &mistakes) { .exactly($0) }
            },
            Phrase("at most SIZE sent again") { holes, _, mistakes in
                mistakes.size(holes[0]).map { .sentAgain(atMost: $0) }
            },
            Phrase("PATH is published TIMES", read: publication),
            Phrase("sessions complete in order") { _, _, _ in .sessionsCompleteInOrder },
        ])

    private static func completion(
        _ holes: [PlacedText], draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let session = session(holes[0], draft, mistakes: &mistakes)
        guard let limit = mistakes.time(holes[1]) else { return nil }
        guard limit <= draft.limit else {
            mistakes.add(
                "“\(holes[1].text)” never comes: the run ends at its limit of \(draft.limit)",
                at: holes[1].place, expected: "a time up to that, or a longer “limit”")
            return nil
        }
        return session.map { .sessionCompletes($0, within: limit) }
    }

    private static func resumption(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes,
        times: (Int) -> ExpectationPlan.Times
    ) -> ExpectationPlan? {
        let session = session(holes[0], draft, mistakes: &mistakes)
        let count = self.times(holes[1], mistakes: &mistakes)
        guard let session, let count else { return nil }
        return .sessionResumes(session, times(count))
    }

    private static func publication(
        _ holes: [PlacedText], draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let count = times(holes[1], mistakes: &mistakes)
        guard let path = destination(holes[0], draft, mistakes: &mistakes) else { return nil }
        return count.map { .objectPublished(path, times: $0) }
    }

    /// A path to which something is uploaded.
    static func destination(
        _ path: PlacedText, _ draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> String? {
        // Without readable destinations the fault is there, not here.
        if let destinations = draft.destinations, !destinations.contains(path.text) {
            let nearest = Spelling.nearest(to: path.text, among: destinations)
            mistakes.add(
                "nothing is uploaded to “\(path.text)”", at: path.place,
                expected: "a destination from the queue: \(destinations.list)",
                suggestion: nearest.map { "“\($0)”" })
            return nil
        }
        return path.text
    }

    static func session(
        _ words: PlacedText, _ draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> SessionName? {
        let expectation = "the number of a session, counted from 1"
        guard let number = mistakes.count(words, expectation) else { return nil }
        // Without a readable queue the fault is there, not here.
        guard let count = draft.sessionCount else { return nil }
        guard (1...UInt64(count)).contains(number) else {
            mistakes.add(
                "there is no session \(number)", at: words.place,
                expected: count == 1 ? "session 1, the only one" : "one of sessions 1 to \(count)")
            return nil
        }
        return SessionName(number)
    }

    /// `never`, `once`, `twice`, `3 times`.
    static func times(_ words: PlacedText, mistakes: inout Mistakes) -> Int? {
        let expectation = "never, once, twice or a number such as “3 times”"
        switch words.text {
        case "never": return 0
        case "once": return 1
        case "twice": return 2
        default: break
        }
        let parts = words.text.split(separator: " ")
        guard parts.count == 2, parts[1] == "times" else {
            mistakes.add(
                "“\(words.text)” does not say how often", at: words.place, expected: expectation)
            return nil
        }
        let number = PlacedText(text: String(parts[0]), place: words.place)
        guard let count = mistakes.count(number, expectation) else { return nil }
        guard count <= 1_000_000 else {
            mistakes.add(
                "“\(words.text)” is out of range", at: words.place,
                expected: "at most 1000000 times")
            return nil
        }
        return Int(count)
    }
}
