import Checks
import DocrootServer
import Quantities
import RunLog

/// The key `expect`: what must hold in this run, besides the invariants of every run.
enum ExpectationKeys {
    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let known = draft.expectations
        draft.expectations += list(
            node, such: "session 1 completes within 30 s", phrases, beside: known, draft)
    }

    static func readSometimes(_ node: YAMLNode, draft: inout ScenarioDraft) {
        draft.sometimes = list(
            node, such: "session 1 resumes at least once", phrases, beside: [], draft)
    }

    /// Reads the expectations of a suite, which name no session of a single scenario.
    static func readSuite(_ node: YAMLNode, draft: inout ScenarioDraft) {
        draft.sometimes = list(node, such: "a session resumes", SuiteFile.book, beside: [], draft)
    }

    private static func list(
        _ node: YAMLNode, such example: String, _ book: PhraseBook<ExpectationPlan>,
        beside known: [Scenario.Expectation], _ draft: ScenarioDraft
    ) -> [Scenario.Expectation] {
        let expectation = "a list of expectations such as “- \(example)”"
        guard let items = node.items(expected: expectation) else { return [] }
        var found: [Scenario.Expectation] = []
        for item in items {
            guard let words = item.text(expected: expectation),
                let plan = book.read(words, draft)
            else { continue }
            guard !(known + found).contains(where: { $0.plan == plan }) else {
                words.refuse("“\(words.text)” is expected twice", expected: "each once")
                continue
            }
            found.append(
                Scenario.Expectation(
                    plan: plan, words: words.text, place: words.location))
        }
        return found
    }

    static let shape = Shape.list(of: phrases.shape)

    /// All expectations; a new one is one more phrase.
    private static let phrases = PhraseBook<ExpectationPlan>(
        name: "an expectation",
        phrases: Facade.allCases.flatMap(\.phrases.expectations)
            + WorldPhrases.all + TrafficPhrases.all + FlowPhrases.all + HappeningPhrases.all)
}

extension ScenarioDraft {
    /// Returns an object that is the destination of an upload.
    func destination(_ path: PlacedText) -> String? {
        // Unreadable destinations have been reported already.
        guard let destinations, !destinations.contains(path.text) else { return path.text }
        // The user of a server may have another root.
        let folders = server.accounts.map(\.docroot.text).filter { !$0.isEmpty }
        let isBelowOne = folders.contains { folder in
            destinations.contains { "\(folder)/\($0)" == path.text }
        }
        if isBelowOne { return path.text }
        return path.refuse(
            "nothing is uploaded to “\(path.text)”",
            expected: "a destination from the queue: \(destinations.list)", among: destinations)
    }

    /// Returns a time up to the run's limit, or before it.
    func reachable(_ words: PlacedText, beforeLimit: Bool = false) -> TimeSpan? {
        let expected = "a time \(beforeLimit ? "before" : "up to") that, or a longer “limit”"
        return words.time(expected: expected) {
            $0 < limit || $0 == limit && !beforeLimit
                ? nil : "“\(words.text)” is too late: the run ends at its limit of \(limit)"
        }
    }
}

extension PlacedText {
    /// Reads `never`, `once`, `at least twice`, `exactly 3 times`.
    func times() -> ExpectationPlan.Times? {
        let words = words
        let texts = words.map(\.text)
        if texts.starts(with: ["at", "least"]) { return often(words[2...]).map { .atLeast($0) } }
        if texts.starts(with: ["at", "most"]) { return often(words[2...]).map { .atMost($0) } }
        let isSaid = texts.first == "exactly"
        return often(words[(isSaid ? 1 : 0)...]).map { .exactly($0) }
    }

    /// Reads `once`, `3 times`.
    func often() -> Int? { often(words[...]) }

    private func often(_ words: ArraySlice<PlacedText>) -> Int? {
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
            return refuse("“\(text)” does not say how often", expected: expectation)
        }
        let count = checked(number.count(expectation), expected: "at most 1000000 times") {
            $0 > 1_000_000 ? "“\(text)” is out of range" : nil
        }
        return count.map { Int($0) }
    }
}
