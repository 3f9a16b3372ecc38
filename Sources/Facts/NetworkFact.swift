package import Quantities

/// A phone's ways into the network: what they are, what becomes of them, and what its apps are told
/// of it. Which phone is said unless it is the first.
package enum NetworkFact: Hashable, Sendable, Codable {
    /// Interfaces are counted through the whole run, from 0.
    case interface(UInt16, InterfaceTerms, device: UInt16? = nil)
    /// Something happens to them, in words.
    case happens(String, device: UInt16? = nil)
    /// What new connections use from now on, as the apps are told.
    case path(PathTerms, device: UInt16? = nil)
    /// A captive portal answered a request in the server's place.
    case portalAnswered(interface: UInt16, request: String)

    /// A translator of addresses has seen no packet of a connection for so long, and lets none of
    /// it through any more.
    case mappingForgotten(interface: UInt16, after: TimeSpan)

    // The names that values without a label have in `events.jsonl`.
    private enum InterfaceCodingKeys: String, CodingKey {
        case _0 = "interface", _1 = "terms", device
    }
    private enum HappensCodingKeys: String, CodingKey { case _0 = "what", device }
    private enum PathCodingKeys: String, CodingKey { case _0 = "path", device }

    func sentence(_ names: RunNames) -> String {
        switch self {
        case .interface(let number, let terms, let device):
            "interface \(number)\(Self.of(device, names)) is \(terms.name), with the address "
                + "\(terms.address)"
        case .happens(let what, let device):
            (names.phone(device).map { "\($0): " } ?? "") + what
        case .path(let path, let device): "apps\(Self.of(device, names)) are told: \(path.sentence)"
        case .portalAnswered(_, let request): "a captive portal answers \(request)"
        case .mappingForgotten(let interface, let silence):
            "a translator of addresses on the way of interface \(interface) forgets a connection "
                + "after \(silence) of silence"
        }
    }

    private static func of(_ device: UInt16?, _ names: RunNames) -> String {
        names.phone(device).map { " of \($0)" } ?? ""
    }
}

/// What an interface is.
package struct InterfaceTerms: Hashable, Sendable, Codable {
    /// For people: “Wi-Fi”.
    package var name: String
    package var isCellular: Bool
    /// The links by which it sends and receives.
    package var uplink: UInt16
    package var downlink: UInt16
    package var address: String
    /// What its radio takes from the battery; `nil`: it has none, or nobody knows.
    package var radio: RadioTerms?

    package init(
        name: String, isCellular: Bool, uplink: UInt16, downlink: UInt16, address: String,
        radio: RadioTerms?
    ) {
        self.name = name
        self.isCellular = isCellular
        self.uplink = uplink
        self.downlink = downlink
        self.address = address
        self.radio = radio
    }
}

/// What a radio takes from a battery, by what it does; powers in milliwatts.
package struct RadioTerms: Hashable, Sendable, Codable {
    /// Where the figures come from.
    package var source: String
    /// From idle to where it can send.
    package var promotion: TimeSpan
    package var promotionPower: Double
    /// While packets follow each other within `pause`.
    package var activePower: Double
    package var pause: TimeSpan
    /// So long after the last packet it goes back to idle; in the meantime it is half awake.
    package var tail: TimeSpan
    package var tailPower: Double
    /// On average: it listens now and then.
    package var idlePower: Double
    /// What comes on top, for each million bits.
    package var millijoulesPerMegabitUp: Double
    package var millijoulesPerMegabitDown: Double

    package init(
        source: String, promotion: TimeSpan, promotionPower: Double, activePower: Double,
        pause: TimeSpan, tail: TimeSpan, tailPower: Double, idlePower: Double,
        millijoulesPerMegabitUp: Double, millijoulesPerMegabitDown: Double
    ) {
        self.source = source
        self.promotion = promotion
        self.promotionPower = promotionPower
        self.activePower = activePower
        self.pause = pause
        self.tail = tail
        self.tailPower = tailPower
        self.idlePower = idlePower
        self.millijoulesPerMegabitUp = millijoulesPerMegabitUp
        self.millijoulesPerMegabitDown = millijoulesPerMegabitDown
    }
}

/// A way into the network, as apps are told of it.
package struct PathTerms: Hashable, Sendable, Codable {
    /// What new connections use; `nil`: there is nothing.
    package var interface: UInt16?
    package var name: String?
    package var isMetered: Bool
    package var isLowData: Bool
    /// Connections on others are lost.
    package var alive: [UInt16]
    /// Which apps are told; said only of phones beside the first.
    package var apps: [UInt16]?

    package init(
        interface: UInt16?, name: String?, isMetered: Bool, isLowData: Bool, alive: [UInt16]
    ) {
        self.interface = interface
        self.name = name
        self.isMetered = isMetered
        self.isLowData = isLowData
        self.alive = alive
    }

    package var sentence: String {
        guard let name else { return "there is no network" }
        let cost = isMetered ? ", metered" : ""
        return "the network is \(name)\(cost)" + (isLowData ? ", in low data mode" : "")
    }
}
