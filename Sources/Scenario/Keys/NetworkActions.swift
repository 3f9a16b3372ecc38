import Device
import RunPlan

/// Actions of a timeline on a phone's interfaces.
enum NetworkActions {
    static let phrases: [Phrase<TimelineEntry.Action>] =
        inputs.map { words, input, about in Phrase(words, about, means: .network(input)) }
        + inputs.map { words, input, _ in
            Phrase(
                "\(words) \(preposition(after: words)) NAME", "the same actions on another phone"
            ) { holes, draft in
                DeviceActions.phone(holes[0], of: draft).map {
                    .network(input, on: $0)
                }
            }
        }

    private static let inputs: [(String, DeviceNetwork.Input, String?)] = [
        ("network lost", .lost(nil), "all interfaces, with the connections on them"),
        ("network back", .found(nil, moved: false), nil),
        ("wifi lost", .lost(.wifi), "only Wi-Fi; another network gives another address"),
        ("wifi back", .found(.wifi, moved: false), nil),
        ("wifi back as another network", .found(.wifi, moved: true), nil),
        (
            "wifi to cellular", .fades(.wifi),
            "Wi-Fi fades away; its connections go on for the time of `linger`"
        ),
        ("cellular to wifi", .found(.wifi, moved: false), "Wi-Fi is back, and is used"),
        ("cellular lost", .lost(.cellular), "only cellular; the phone always gets another address"),
        ("cellular back", .found(.cellular, moved: false), nil),
        ("airplane mode on", .airplaneMode(true), "no radio at all"),
        ("airplane mode off", .airplaneMode(false), nil),
        (
            "captive portal appears", .portalComes(dropsOthers: false),
            "until the user logs in, a login page answers in the server's place on Wi-Fi; HTTPS "
                + "is refused, or its packets are dropped"
        ),
        ("captive portal appears and drops https", .portalComes(dropsOthers: true), nil),
        ("user logs in", .login, nil),
        (
            "captive portal appears and answers 200",
            .portalComes(dropsOthers: false, answersPage: true),
            "its page comes with the status of a success instead of a redirect; only a page with "
                + "a validator, or asked for by its name, counts as the server's answer"
        ),
        (
            "nat forgets", .mappingsForgotten(resets: false),
            "open connections stop working, silently or with a reset"
        ),
        ("nat forgets and resets", .mappingsForgotten(resets: true), nil),
        ("wifi becomes metered", .wifiMetered(true), "what apps are told about the network"),
        ("wifi becomes unmetered", .wifiMetered(false), nil),
        ("low data mode on", .lowDataMode(true), nil),
        ("low data mode off", .lowDataMode(false), nil),
        (
            "doze begins", .doze(true),
            "an Android phone lies untouched: its apps have the network for 5 min after an hour, "
                + "for 10 min after two more hours, then after four, and then every six hours; "
                + "it ends when somebody uses the phone"
        ),
        ("doze ends", .doze(false), nil),
        (
            "battery saver on", .batterySaver(true),
            "on an Android phone only apps in front have a network, and background tasks wait, "
                + "until it is off or the charger is connected; a charged phone keeps it off"
        ),
        ("battery saver off", .batterySaver(false), nil),
    ]

    /// Returns the preposition: `wifi lost on tablet`, but `airplane mode on for tablet`.
    private static func preposition(after words: String) -> String {
        words.hasSuffix(" on") || words.hasSuffix(" off") ? "for" : "on"
    }

    /// Checks that a phone has the interface of an action, and does what only Android does.
    static func check(
        _ action: TimelineEntry.Action, _ words: PlacedText, in draft: ScenarioDraft
    ) {
        if case .network(.doze, let phone) = action, !draft.isAndroid(phone) {
            words.refuse(
                "only an Android phone dozes",
                expected: "an Android phone, such as device: { os: android-14 }")
        }
        if case .network(.batterySaver, let phone) = action, !draft.isAndroid(phone) {
            words.refuse(
                "only an Android phone has a battery saver; that of iOS is “low-power mode”",
                expected: "an Android phone, such as device: { os: android-14 }")
        }
        guard case .network(let input, let phone) = action, let kind = input.subject,
            !draft.links(of: phone).has(kind)
        else { return }
        let name = phone == 0 ? nil : draft.otherPhones[phone - 1].name
        words.refuse(
            "there is no \(kind.rawValue) \(name.map { "on “\($0)”" } ?? "here")",
            expected: "“\(kind.rawValue)” under “links”\(name.map { " of “\($0)”" } ?? ""), such "
                + "as \(kind.rawValue): { profile: \(kind.profile) }")
    }
}

extension DeviceNetwork.Input {
    /// The interface of the action, if there is exactly one.
    fileprivate var subject: InterfaceKind? {
        switch self {
        case .lost(let kind), .found(let kind, _): kind
        case .fades(let kind): kind
        case .portalComes, .login, .wifiMetered: .wifi
        case .begins, .airplaneMode, .power, .mappingsForgotten, .lowDataMode, .doze,
            .batterySaver, .heals, .wake:
            nil
        }
    }
}

extension InterfaceKind {
    fileprivate var profile: String { self == .wifi ? "apple-wifi" : "apple-lte" }
}
