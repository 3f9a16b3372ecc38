import Device
import RunPlan

/// What a timeline can do to a phone's ways into the network.
enum NetworkActions {
    static let phrases: [Phrase<TimelineEntry.Action>] =
        inputs.map { words, input in Phrase(words) { _, _, _ in .network(input) } }
        + inputs.map { words, input in
            Phrase("\(words) \(preposition(after: words)) NAME") { holes, draft, mistakes in
                DeviceActions.phone(holes[0], of: draft, mistakes: &mistakes).map {
                    .network(input, on: $0)
                }
            }
        }

    private static let inputs: [(String, DeviceNetwork.Input)] = [
        ("network lost", .lost(nil)),
        ("network back", .found(nil, moved: false)),
        ("wifi lost", .lost(.wifi)),
        ("wifi back", .found(.wifi, moved: false)),
        ("wifi back as another network", .found(.wifi, moved: true)),
        ("wifi to cellular", .fades(.wifi)),
        ("cellular to wifi", .found(.wifi, moved: false)),
        ("cellular lost", .lost(.cellular)),
        ("cellular back", .found(.cellular, moved: false)),
        ("airplane mode on", .airplaneMode(true)),
        ("airplane mode off", .airplaneMode(false)),
        ("captive portal appears", .portalComes(dropsOthers: false)),
        ("captive portal appears and drops https", .portalComes(dropsOthers: true)),
        ("user logs in", .login),
        ("nat forgets", .mappingsForgotten(resets: false)),
        ("nat forgets and resets", .mappingsForgotten(resets: true)),
        ("wifi becomes metered", .wifiMetered(true)),
        ("wifi becomes unmetered", .wifiMetered(false)),
        ("low data mode on", .lowDataMode(true)),
        ("low data mode off", .lowDataMode(false)),
        ("doze begins", .doze(true)),
        ("doze ends", .doze(false)),
    ]

    /// `wifi lost on tablet`, but `airplane mode on for tablet`.
    private static func preposition(after words: String) -> String {
        words.hasSuffix(" on") || words.hasSuffix(" off") ? "for" : "on"
    }

    /// What happens to an interface needs one, and only Android dozes.
    static func check(
        _ action: TimelineEntry.Action, _ words: PlacedText, in draft: ScenarioDraft,
        mistakes: inout Mistakes
    ) {
        if case .network(.doze, let phone) = action, !draft.isAndroid(phone) {
            mistakes.add(
                "only an Android phone dozes", at: words.place,
                expected: "a phone that does, such as device: { os: android-14 }")
        }
        guard case .network(let input, let phone) = action, let kind = input.subject,
            !draft.links(of: phone).has(kind)
        else { return }
        let name = phone == 0 ? nil : draft.otherPhones[phone - 1].name
        mistakes.add(
            "there is no \(kind.rawValue) \(name.map { "on “\($0)”" } ?? "here")",
            at: words.place,
            expected: "“\(kind.rawValue)” under “links”\(name.map { " of “\($0)”" } ?? ""), such "
                + "as \(kind.rawValue): { profile: \(kind.profile) }")
    }
}

extension DeviceNetwork.Input {
    /// The interface that it is about, if it is one alone.
    fileprivate var subject: InterfaceKind? {
        switch self {
        case .lost(let kind), .found(let kind, _): kind
        case .fades(let kind): kind
        case .portalComes, .login, .wifiMetered: .wifi
        case .begins, .airplaneMode, .power, .mappingsForgotten, .lowDataMode, .doze, .heals, .wake:
            nil
        }
    }
}

extension InterfaceKind {
    fileprivate var profile: String { self == .wifi ? "apple-wifi" : "apple-lte" }
}
