import Device
import RunPlan

/// What a timeline can do to a phone's ways into the network.
enum NetworkActions {
    static let phrases: [Phrase<TimelineEntry.Action>] = [
        phrase("network lost", .lost(nil)),
        phrase("network back", .found(nil, moved: false)),
        phrase("wifi lost", .lost(.wifi)),
        phrase("wifi back", .found(.wifi, moved: false)),
        phrase("wifi back as another network", .found(.wifi, moved: true)),
        phrase("wifi to cellular", .fades(.wifi)),
        phrase("cellular to wifi", .found(.wifi, moved: false)),
        phrase("cellular lost", .lost(.cellular)),
        phrase("cellular back", .found(.cellular, moved: false)),
        phrase("airplane mode on", .airplaneMode(true)),
        phrase("airplane mode off", .airplaneMode(false)),
        phrase("captive portal appears", .portalComes(dropsOthers: false)),
        phrase("captive portal appears and drops https", .portalComes(dropsOthers: true)),
        phrase("user logs in", .login),
        phrase("nat forgets", .mappingsForgotten(resets: false)),
        phrase("nat forgets and resets", .mappingsForgotten(resets: true)),
        phrase("wifi becomes metered", .wifiMetered(true)),
        phrase("wifi becomes unmetered", .wifiMetered(false)),
        phrase("low data mode on", .lowDataMode(true)),
        phrase("low data mode off", .lowDataMode(false)),
    ]

    private static func phrase(
        _ pattern: String, _ input: DeviceNetwork.Input
    ) -> Phrase<TimelineEntry.Action> {
        Phrase(pattern) { _, _, _ in .network(input) }
    }

    /// What happens to an interface needs one.
    static func check(
        _ action: TimelineEntry.Action, _ words: PlacedText, in draft: ScenarioDraft,
        mistakes: inout Mistakes
    ) {
        guard case .network(let input) = action, let kind = input.subject, !draft.links.has(kind)
        else {
            return
        }
        mistakes.add(
            "there is no \(kind.rawValue) here", at: words.place,
            expected: "“\(kind.rawValue)” under “links”, such as "
                + "\(kind.rawValue): { profile: \(kind.profile) }")
    }
}

extension DeviceNetwork.Input {
    /// The interface that it is about, if it is one alone.
    fileprivate var subject: InterfaceKind? {
        switch self {
        case .lost(let kind), .found(let kind, _): kind
        case .fades(let kind): kind
        case .portalComes, .login, .wifiMetered: .wifi
        case .begins, .airplaneMode, .power, .mappingsForgotten, .lowDataMode, .heals, .wake: nil
        }
    }
}

extension InterfaceKind {
    fileprivate var profile: String { self == .wifi ? "apple-wifi" : "apple-lte" }
}
