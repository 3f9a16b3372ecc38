package import Quantities

/// A phone's interfaces, their changes, and what the phone tells its apps. `device` is `nil` for
/// the first phone.
package enum NetworkFact: Hashable, Sendable, Codable {
    /// An interface; interfaces are counted from 0 through the whole run.
    indirect case interface(UInt16, InterfaceTerms, device: UInt16? = nil)
    /// A change of the network in words.
    case happens(String, device: UInt16? = nil)
    /// The path of new connections, as the apps are told.
    indirect case path(PathTerms, device: UInt16? = nil)
    case portalAnswered(interface: UInt16, request: String)

    /// A NAT forgot a connection after a silence, and blocks its packets.
    case mappingForgotten(interface: UInt16, after: TimeSpan)
    /// One end of a connection cuts its content into packets of at most this size from now on.
    case packetsResized(flow: UInt16, isOpeners: Bool, to: ByteCount, because: ResizingCause)
    /// How phones find the server, recorded only if they have to ask.
    indirect case names(NameTerms)
    /// `attempt` counts the times that the phone has asked.
    case nameAsked(NameQuestion, attempt: UInt32)
    case nameAnswered(NameQuestion, NameAnswer)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case interface, happens, path, portalAnswered, mappingForgotten, packetsResized
        case names, nameAsked, nameAnswered
    }
    private enum InterfaceCodingKeys: String, CodingKey {
        case _0 = "interface", _1 = "terms", device
    }
    private enum HappensCodingKeys: String, CodingKey { case _0 = "what", device }
    private enum PathCodingKeys: String, CodingKey { case _0 = "path", device }
    private enum NamesCodingKeys: String, CodingKey { case _0 = "terms" }
    private enum NameAskedCodingKeys: String, CodingKey { case _0 = "question", attempt }
    private enum NameAnsweredCodingKeys: String, CodingKey {
        case _0 = "question", _1 = "answer"
    }

    func sentence(_ names: RunNames) -> String {
        switch self {
        case .interface(let number, let terms, let device):
            "interface \(number)\(names.ofPhone(device)) is \(terms.name), with the address "
                + "\(terms.address)"
        case .happens(let what, let device):
            (names.phone(device).map { "\($0): " } ?? "") + what
        case .path(let path, let device): "\(path.hearers(names, device)) told: \(path.sentence)"
        case .portalAnswered(_, let request): "a captive portal answers \(request)"
        case .mappingForgotten(let interface, let silence):
            "a translator of addresses on the way of interface \(interface) forgets a connection "
                + "after \(silence) of silence"
        case .packetsResized(let flow, let isOpeners, let size, let cause):
            "the \(isOpeners ? "client" : "server")'s packets on connection \(flow) have at most "
                + "\(size) from now on: \(cause.words)"
        case .names(let terms): terms.sentence
        case .nameAsked(let question, let attempt):
            "a phone asks for \(question.sentence)"
                + (attempt > 1 ? ", attempt \(attempt)" : "")
        case .nameAnswered(let question, let answer):
            "\(question.sentence): \(answer.sentence)"
        }
    }
}

/// Why a host changes the size of its packets.
package enum ResizingCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// A router has dropped a larger packet, and says so.
    case message
    /// Larger packets are not acknowledged.
    case silence
    /// Smaller packets were not acknowledged either.
    case inVain

    fileprivate var words: String {
        switch self {
        case .message: "a router says that larger ones do not pass"
        case .silence: "larger ones seem to vanish"
        case .inVain: "smaller ones were not acknowledged either"
        }
    }
}

package struct InterfaceTerms: Hashable, Sendable, Codable {
    /// The name for people, such as “Wi-Fi”.
    package var name: String
    package var isCellular: Bool
    /// The links for sending and receiving.
    package var uplink: UInt16
    package var downlink: UInt16
    package var address: String
    /// The radio's power; `nil` if there is no radio or its power is unknown.
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

/// The power of a radio by its states, in milliwatts.
package struct RadioTerms: Hashable, Sendable, Codable {
    package var source: String
    /// The time from idle to ready.
    package var promotion: TimeSpan
    package var promotionPower: Double
    /// The power while packets follow each other within `pause`.
    package var activePower: Double
    package var pause: TimeSpan
    /// The time from the last packet to idle, with reduced power.
    package var tail: TimeSpan
    package var tailPower: Double
    /// The average power when idle.
    package var idlePower: Double
    /// The additional energy for each million bits.
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

/// A network path, as apps are told.
package struct PathTerms: Hashable, Sendable, Codable {
    /// The interface of new connections; `nil` if there is no network.
    package var interface: UInt16?
    package var name: String?
    package var isMetered: Bool
    package var isLowData: Bool
    /// The interfaces whose connections are not lost.
    package var alive: [UInt16]
    /// The apps that are told; `nil`: all apps of the first phone.
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

    fileprivate func hearers(_ names: RunNames, _ device: UInt16?) -> String {
        guard let app = apps?.first, apps?.count == 1, device == nil else {
            return "apps\(names.ofPhone(device)) are"
        }
        return (names.app(RunNames.number(ofPlace: Int(app) - 1)) ?? "the app") + " is"
    }

    package var sentence: String {
        guard let name else { return "there is no network" }
        let cost = isMetered ? ", metered" : ""
        return "the network is \(name)\(cost)" + (isLowData ? ", in low data mode" : "")
    }
}
