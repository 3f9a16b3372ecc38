import Checks

/// The keys that change how a run is judged: `excuse` and `must-fail`.
enum JudgementKeys {
    private static let excuseExample = "{ S3: the server forgets its uploads after a minute }"

    private static let rules = InvariantCatalogue.checks().map(\.rule)

    static let excuseShape = Shape.mapping(of: .words(rules), to: .text)

    static func readExcuses(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "an invariant and a reason, such as \(excuseExample)"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else { return }
        for (key, value) in pairs {
            if !rules.contains(key.text) {
                mistakes.add(
                    "there is no invariant “\(key.text)”", at: key.place,
                    expected: "one of \(rules.list)")
            }
            let wanted = "a reason in a sentence"
            guard let reason = mistakes.text(of: value, expected: wanted) else { continue }
            guard mistakes.words(of: reason).count >= 3 else {
                mistakes.add(
                    "“\(reason.text)” is not a reason", at: reason.place, expected: wanted)
                continue
            }
            draft.excuses.append(Scenario.Excuse(rule: key.text, reason: reason.text))
        }
    }

    static func readMustFail(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "one of \(rules.list), or the words of an expectation of this scenario"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        let expected = draft.expectations.map(\.words)
        guard rules.contains(words.text) || expected.contains(words.text) else {
            let nearest = Spelling.nearest(to: words.text, among: expected)
            mistakes.add(
                "there is no check “\(words.text)”", at: words.place, expected: expectation,
                suggestion: nearest.map { "“\($0)”" })
            return
        }
        draft.mustFail = words.text
    }
}
