import Checks

/// The keys `evidence` and `without-evidence` of a suite.
enum EvidenceKeys {
    private static let clauses = InvariantCatalogue.clauses.map(\.title)

    static let example = "{ S12 one refresh: no account of these scenarios has a token }"

    static let exceptionShape = Shape.mapping(of: .words(clauses), to: .text)

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "“\(SuiteFile.everyClause)”"
        guard let words = node.text(expected: expectation) else { return }
        guard words.text == SuiteFile.everyClause else {
            words.refuse("there is no evidence of “\(words.text)”", expected: expectation)
            return
        }
        draft.evidence = EvidenceDemand(place: words.location)
    }

    static func readExceptions(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a clause and a reason, such as \(example)"
        guard let pairs = node.pairs(expected: expectation) else { return }
        guard draft.evidence != nil else {
            node.refuse(
                "there is nothing to make exceptions from",
                expected: "the key “evidence: \(SuiteFile.everyClause)”")
            return
        }
        for (key, value) in pairs {
            if !clauses.contains(key.text) {
                let nearest = Spelling.nearest(to: key.text, among: clauses)
                key.refuse(
                    "there is no clause “\(key.text)”",
                    expected: "a clause as ./lab list --evidence names it",
                    suggestion: nearest.map { "“\($0)”" })
            }
            let reason = value.reason("is not a reason", expected: "a reason in a sentence")
            guard let reason else { continue }
            draft.evidence?.exceptions.append(
                EvidenceDemand.Exception(
                    clause: key.text, reason: reason, place: key.location))
        }
    }
}
