import LinkModels
import Quantities

/// The key `profile`, for both directions or one. Keys beside it may override its values.
enum ProfileKeys {
    /// Keys that a profile supplies.
    static let given = ["rate", "delay"]

    static let shape = Shape.words(LinkProfile.all.map(\.name))

    static func read(_ node: YAMLNode, mistakes: inout Mistakes) -> LinkProfile? {
        let names = LinkProfile.all.map(\.name)
        let expectation = "one of \(names.list)"
        guard let words = mistakes.text(of: node, expected: expectation) else { return nil }
        if let profile = LinkProfile.named(words.text) { return profile }
        let nearest = Spelling.nearest(to: words.text, among: names)
        mistakes.add(
            "there is no link profile “\(words.text)”", at: words.place, expected: expectation,
            suggestion: nearest.map { "“\($0)”" })
        return nil
    }

    /// Whether a mapping names a profile, which is then read before the keys that override it.
    static func isNamed(in node: YAMLNode) -> Bool {
        node["profile"] != nil
    }
}

extension LinkDraft {
    init(_ direction: LinkProfile.Direction) {
        rate = direction.rate
        delay = direction.delay
        if direction.loss != .never { filters.append(.independentLoss(direction.loss)) }
        if direction.jitter > .zero { filters.append(.jitter(.uniform(direction.jitter))) }
    }
}
