import Device
import LinkModels
import Quantities
import RunPlan

/// One of a phone's interfaces while it is read: both directions.
struct LinkPairDraft {
    var uplink: LinkDraft?
    var downlink: LinkDraft?
    var translator: TranslatorPlan?
    var radio: RadioDraft?

    var isEmpty: Bool {
        uplink == nil && downlink == nil && translator == nil && radio == nil
    }

    /// Reads a profile of both directions.
    @discardableResult mutating func readProfile(_ node: YAMLNode) -> LinkProfile? {
        guard let profile = ProfileKeys.read(node) else { return nil }
        uplink = LinkDraft(profile.up)
        downlink = LinkDraft(profile.down)
        return profile
    }

    /// Makes the plan; the links' names begin with the name of a phone after the first.
    func plan(_ kind: InterfaceKind, of phone: String) -> InterfacePlan? {
        let prefix = (phone.isEmpty ? "" : "\(phone)/") + (kind == .line ? "" : "\(kind.rawValue)/")
        guard let uplink, let downlink, let there = uplink.longestDelay,
            let back = downlink.longestDelay,
            let up = uplink.plan(name: "\(prefix)uplink", roundTrip: there + back),
            let down = downlink.plan(name: "\(prefix)downlink", roundTrip: there + back)
        else { return nil }
        return InterfacePlan(
            kind, uplink: radio?.disturbing(up) ?? up, downlink: radio?.disturbing(down) ?? down,
            translator: translator, radio: radio?.plan)
    }
}

/// The keys `wifi`, `cellular` and `hand-over` of `links`: a phone with two ways into the network.
enum InterfaceKeys {
    static let keys: [KeyTable<LinksDraft>.Key] = [
        .optional(
            "wifi", pairs.shape, "the phone's Wi-Fi, used whenever it is there", \.wifi,
            read: pair),
        .optional(
            "cellular", pairs.shape, "its cellular network, used only without Wi-Fi", \.cellular,
            read: pair),
        .optional(
            "hand-over", handOver.shape, "what happens when the phone changes to another interface"
        ) { node, links in
            var settings = DeviceNetwork.Settings()
            handOver.read(node, into: &settings)
            links.handOver = settings
        },
    ]

    /// Whether a mapping has interfaces, and so neither needs nor may have other links.
    static func named(in node: YAMLNode) -> Bool {
        ["wifi", "cellular"].contains { node[$0] != nil }
    }

    private static func pair(_ node: YAMLNode) -> LinkPairDraft {
        var draft = LinkPairDraft()
        let given = ProfileKeys.isNamed(in: node) ? ["uplink", "downlink"] : []
        pairs.read(node, into: &draft, given: given)
        return draft
    }

    private static let pairs = KeyTable<LinkPairDraft>(
        name: "an interface",
        keys: [
            .optional("profile", ProfileKeys.shape, "both directions by name") { node, draft in
                draft.readProfile(node)
            }
        ] + ways)

    /// The keys of both directions, with or without interfaces.
    static let ways: [KeyTable<LinkPairDraft>.Key] = [
        .unlessGiven(
            "uplink", LinkKeys.directions.shape, "from the device to the server",
            example: LinkKeys.directionExample
        ) { node, draft in
            draft.uplink = LinkKeys.direction(.up, node, over: draft.uplink)
        },
        .unlessGiven(
            "downlink", LinkKeys.directions.shape, "from the server to the device",
            example: LinkKeys.directionExample
        ) { node, draft in
            draft.downlink = LinkKeys.direction(.down, node, over: draft.downlink)
        },
        .optional(
            "nat", TranslatorKeys.shape, TranslatorKeys.about, \.translator,
            read: TranslatorKeys.read),
        .optional("radio", RadioKeys.shape, RadioKeys.about, example: "lte") { node, draft in
            RadioKeys.read(node, into: &draft)
        },
    ]

    private static let handOver = KeyTable<DeviceNetwork.Settings>(
        name: "“hand-over”",
        keys: [
            .optional(
                "gap", .time, "how long it takes to join a network, or to replace one that is lost",
                example: "500 ms", \.gap, read: DelayKeys.delay),
            .optional(
                "linger", .time,
                "how long connections go on over an interface when another is used",
                example: "30 s", \.linger, read: DelayKeys.delay),
            .optional(
                "connections", .choice(of: OldConnections.self),
                "what becomes of connections on an interface that is gone"
            ) { node, settings in
                let fate: OldConnections? = node.choice(complaint: "connections cannot be set to")
                settings.endsConnections = fate != .goSilent
            },
        ])

    private enum OldConnections: String, CaseIterable {
        case end
        case goSilent = "go silent"
    }
}
