import LinkModels
import Quantities

/// The key `profile`, for both directions or one. Keys beside it may override its values.
enum ProfileKeys {
    /// Keys that a profile supplies.
    static let given = ["rate", "delay"]

    static let shape = Shape.words(LinkProfile.all.map(\.name))

    static func read(_ node: YAMLNode) -> LinkProfile? {
        let profiles = LinkProfile.all.map { (name: $0.name, value: $0) }
        return node.choice(among: profiles, complaint: "there is no link profile")
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
