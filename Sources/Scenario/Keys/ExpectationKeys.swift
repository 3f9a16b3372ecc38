import Checks
import Quantities
import RunLog

/// The key `expect`: what must hold in this run, besides the invariants of every run.
enum ExpectationKeys {
    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let known = draft.expectations
        draft.expectations += list(
            node, such: "session 1 completes within 30 s", phrases, beside: known, draft, &mistakes)
    }

    static func readSometimes(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        draft.sometimes = list(
            node, such: "session 1 resumes at least once", phrases, beside: [], draft, &mistakes)
    }

    /// Reads the expectations of a suite, which name no session of a single scenario.
    static func readSuite(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        draft.sometimes = list(
            node, such: "a session resumes", SuiteFile.book, beside: [], draft, &mistakes)
    }

    private static func list(
        _ node: YAMLNode, such example: String, _ book: PhraseBook<ExpectationPlan>,
        beside known: [Scenario.Expectation], _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> [Scenario.Expectation] {
        let expectation = "a list of expectations such as “- \(example)”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return [] }
        var found: [Scenario.Expectation] = []
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation),
                let plan = book.read(words, draft: draft, mistakes: &mistakes)
            else { continue }
            guard !(known + found).contains(where: { $0.plan == plan }) else {
                mistakes.add(
                    "“\(words.text)” is expected twice", at: words.place, expected: "each once")
                continue
            }
            found.append(
                Scenario.Expectation(
                    plan: plan, words: words.text, place: mistakes.words(for: words.place)))
        }
        return found
    }

    static let shape = Shape.list(of: phrases.shape)

    /// All expectations; a new one is one more phrase.
    private static let phrases = PhraseBook<ExpectationPlan>(
        name: "an expectation",
        phrases: SessionPhrases.all + OperationPhrases.all + TaskPhrases.all + TransferPhrases.all
            + WorldPhrases.all + HappeningPhrases.all)
}

extension ScenarioDraft {
    /// Returns an object that is the destination of an upload.
    func destination(_ path: PlacedText, mistakes: inout Mistakes) -> String? {
        // Without readable destinations the mistake is there, not here.
        guard let destinations, !destinations.contains(path.text) else { return path.text }
        let nearest = Spelling.nearest(to: path.text, among: destinations)
        mistakes.add(
            "nothing is uploaded to “\(path.text)”", at: path.place,
            expected: "a destination from the queue: \(destinations.list)",
            suggestion: nearest.map { "“\($0)”" })
        return nil
    }

    /// Returns a time within the run's limit.
    func reachable(_ words: PlacedText, mistakes: inout Mistakes) -> TimeSpan? {
        guard let time = mistakes.time(words) else { return nil }
        guard time <= limit else {
            mistakes.add(
                "“\(words.text)” is too late: the run ends at its limit of \(limit)",
                at: words.place, expected: "a time up to that, or a longer “limit”")
            return nil
        }
        return time
    }
}

extension Mistakes {
    /// Reads `never`, `once`, `at least twice`, `exactly 3 times`.
    mutating func times(_ sentence: PlacedText) -> ExpectationPlan.Times? {
        let words = words(of: sentence)
        let texts = words.map(\.text)
        if texts.starts(with: ["at", "least"]) {
            return often(words[2...], in: sentence).map { .atLeast($0) }
        }
        if texts.starts(with: ["at", "most"]) {
            return often(words[2...], in: sentence).map { .atMost($0) }
        }
        let isSaid = texts.first == "exactly"
        return often(words[(isSaid ? 1 : 0)...], in: sentence).map { .exactly($0) }
    }

    /// Reads `once`, `3 times`.
    mutating func often(_ sentence: PlacedText) -> Int? {
        often(words(of: sentence)[...], in: sentence)
    }

    private mutating func often(_ words: ArraySlice<PlacedText>, in sentence: PlacedText) -> Int? {
        let expectation =
            "never, once, twice or a number such as “3 times”, optionally after “at least”, “at "
            + "most” or “exactly”"
        switch words.map(\.text) {
        case ["never"]: return 0
        case ["once"]: return 1
        case ["twice"]: return 2
        default: break
        }
        guard words.count == 2, words.last?.text == "times", let number = words.first else {
            add(
                "“\(sentence.text)” does not say how often", at: sentence.place,
                expected: expectation)
            return nil
        }
        guard let count = count(number, expectation) else { return nil }
        guard count <= 1_000_000 else {
            add(
                "“\(sentence.text)” is out of range", at: sentence.place,
                expected: "at most 1000000 times")
            return nil
        }
        return Int(count)
    }
}
