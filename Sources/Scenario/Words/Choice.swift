extension PlacedText {
    /// Reads one of the words that a value may be. `nil` after a report that begins with
    /// `complaint`, such as “there is no controller”.
    func choice<Value>(
        among values: [(name: String, value: Value)], complaint: String, expected: String
    ) -> Value? {
        if let choice = values.first(where: { $0.name == text }) { return choice.value }
        return refuse("\(complaint) “\(text)”", expected: expected, among: values.map(\.name))
    }
}

extension YAMLNode {
    func choice<Value>(among values: [(name: String, value: Value)], complaint: String) -> Value? {
        let expectation = "one of \(values.map(\.name).list)"
        return text(expected: expectation)?
            .choice(among: values, complaint: complaint, expected: expectation)
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(complaint: String) -> Value? {
        let values = Value.allCases.map { (name: $0.rawValue, value: $0) }
        return choice(among: values, complaint: complaint)
    }

    /// Reads `on` or `off`.
    func isOn() -> Bool? {
        let expectation = "on or off"
        guard let words = text(expected: expectation) else { return nil }
        switch words.text {
        case "on": return true
        case "off": return false
        default:
            return words.refuse("“\(words.text)” is neither on nor off", expected: expectation)
        }
    }

    func yesOrNo() -> Bool? {
        let answer: YesOrNo? = choice(complaint: "the answer cannot be")
        return answer.map { $0 == .yes }
    }
}

/// The words of a choice of two.
enum YesOrNo: String, CaseIterable {
    case yes, no

    static let shape = Shape.choice(of: YesOrNo.self)
}
