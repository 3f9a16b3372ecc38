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

    /// The profiles with their figures and sources.
    static var markdown: String {
        let rows = LinkProfile.all.map { profile in
            let (down, up) = (profile.down, profile.up)
            let delays = down.delay == up.delay ? [up.delay] : [down.delay, up.delay]
            let delay = delays.map { $0 == .zero ? "none" : "\($0)" }.joined(separator: ", ")
            let notes = [
                down.jitter > .zero ? "jitter \(down.jitter)" : nil,
                down.loss == .never ? nil : "loss \(down.loss)",
                down.satellites.map { "satellites change every \($0.every)" },
                down.wifi.map { "Wi-Fi with \($0.stations) stations" },
            ].compactMap(\.self).joined(separator: ", ")
            return "| `\(profile.name)` | \(down.rate) | \(up.rate) | \(delay) | \(notes) | "
                + "\(profile.source) |"
        }
        return "| Profile | Down | Up | Delay, one way | Besides | Source |\n"
            + "|---|---|---|---|---|---|\n" + rows.joined(separator: "\n")
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
        schedule = direction.wifi.map { .wifi($0) }
        if let satellites = direction.satellites { filters.append(.satelliteHandOver(satellites)) }
        if direction.loss != .never { filters.append(.independentLoss(direction.loss)) }
        if direction.jitter > .zero { filters.append(.jitter(.uniform(direction.jitter))) }
    }
}
