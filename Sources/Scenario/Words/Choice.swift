extension Mistakes {
    /// Reads one of the words that a value may be. `nil` after a report that begins with
    /// `complaint`, such as “there is no controller”.
    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ node: YAMLNode, complaint: String
    ) -> Value? {
        let names = Value.allCases.map(\.rawValue)
        let expectation = "one of \(names.list)"
        guard let words = text(of: node, expected: expectation) else { return nil }
        if let value = Value(rawValue: words.text) { return value }
        let nearest = Spelling.nearest(to: words.text, among: names)
        add(
            "\(complaint) “\(words.text)”", at: words.place, expected: expectation,
            suggestion: nearest.map { "“\($0)”" })
        return nil
    }
}

/// The words of a choice of two.
enum YesOrNo: String, CaseIterable {
    case yes, no

    static let shape = Shape.words(allCases.map(\.rawValue))
}

extension Mistakes {
    mutating func yesOrNo(_ node: YAMLNode) -> Bool? {
        let answer: YesOrNo? = choice(node, complaint: "the answer cannot be")
        return answer.map { $0 == .yes }
    }
}
