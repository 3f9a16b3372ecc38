import Checks

/// The keys that change how a run is judged: `excuse` and `must-fail`.
enum JudgementKeys {
    private static let excuseExample = "{ S3: the server forgets its uploads after a minute }"

    private static let rules = InvariantCatalogue.checks().map(\.rule)

    static let excuseShape = Shape.mapping(of: .words(rules), to: .text)

    static func readExcuses(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "an invariant and a reason, such as \(excuseExample)"
        guard let pairs = node.pairs(expected: expectation) else { return }
        for (key, value) in pairs {
            if !rules.contains(key.text) {
                key.refuse("there is no invariant “\(key.text)”", expected: "one of \(rules.list)")
            }
            let reason = value.reason("is not a reason", expected: "a reason in a sentence")
            guard let reason else { continue }
            draft.excuses.append(Scenario.Excuse(rule: key.text, reason: reason))
        }
    }

    static func readMustFail(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "one of \(rules.list), or the words of an expectation of this scenario"
        guard let words = node.text(expected: expectation) else { return }
        let expected = draft.expectations.map(\.words)
        let isKnown = rules.contains(words.text) || expected.contains(words.text)
        draft.mustFail =
            isKnown
            ? words.text
            : words.refuse(
                "there is no check “\(words.text)”", expected: expectation, among: expected)
    }
}
