/// The events of a network in words, for the log and for `explain`.
extension DeviceNetwork.Input {
    /// The event in words; `nil` for an event without words of its own in the log.
    package var words: String? {
        switch self {
        case .begins, .power, .heals, .wake: nil
        case .lost(let kind): "\(kind?.words ?? "the network") is lost"
        case .found(let kind, let moved):
            "\(kind?.words ?? "the network") is back" + (moved ? ", as another network" : "")
        case .fades(let kind): "\(kind.words) fades away while another network takes over"
        case .airplaneMode(let isOn): "airplane mode is \(isOn ? "on" : "off")"
        case .portalComes(let dropsOthers, let answersPage):
            "a captive portal appears before Wi-Fi" + (answersPage ? " and answers 200" : "")
                + (dropsOthers ? ", which drops what it does not serve" : "")
        case .login: "the user logs in at the captive portal"
        case .mappingsForgotten(let resets):
            "the network's translator of addresses forgets its mappings"
                + (resets ? ", and resets who goes on" : "")
        case .wifiMetered(let isMetered): "Wi-Fi becomes \(isMetered ? "metered" : "unmetered")"
        case .doze(true): "the phone dozes: apps have no network but for minutes now and then"
        case .doze(false): "the phone dozes no more"
        case .batterySaver(true): "the battery saver is on: only apps in front have a network"
        case .batterySaver(false): "the battery saver is off"
        case .lowDataMode(let isOn): "low data mode is \(isOn ? "on" : "off")"
        }
    }
}

extension DeviceNetwork.Input {
    /// What becomes of an input while the phone is charged: Android keeps its battery saver off.
    package func whileCharged(_ isCharged: Bool) -> DeviceNetwork.Input {
        isCharged && self == .batterySaver(true) ? .batterySaver(false) : self
    }
}
