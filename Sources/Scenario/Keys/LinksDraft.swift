import Device
import LinkModels
import RunLog
import RunPlan

/// A phone's links while they are read: a single one, or one for each interface.
struct LinksDraft {
    /// The phone's own profile for both directions, known or not.
    var network: String?
    /// The links of a phone without interfaces.
    var line = LinkPairDraft()
    var wifi: LinkPairDraft?
    var cellular: LinkPairDraft?
    var handOver: DeviceNetwork.Settings?

    /// The links with their kinds, in the order of their numbers.
    private var pairs: [(InterfaceKind, LinkPairDraft)] {
        if wifi == nil, cellular == nil { return [(.line, line)] }
        return [(InterfaceKind.wifi, wifi), (.cellular, cellular)].compactMap { kind, pair in
            pair.map { (kind, $0) }
        }
    }

    /// The kinds of the interfaces, in the order of their numbers; `nil` if a link is missing.
    var kinds: [InterfaceKind]? {
        pairs.allSatisfy { $0.1.uplink != nil && $0.1.downlink != nil } ? pairs.map(\.0) : nil
    }

    /// Returns the plans; `nil` if one is incomplete.
    func interfaces(of phone: String = "") -> [InterfacePlan]? {
        let plans = pairs.compactMap { $0.1.plan($0.0, of: phone) }
        return plans.count == pairs.count ? plans : nil
    }

    func has(_ kind: InterfaceKind) -> Bool {
        switch kind {
        case .line: line.uplink != nil
        case .wifi: wifi != nil
        case .cellular: cellular != nil
        }
    }

    /// Whether nothing was given.
    var isEmpty: Bool {
        network == nil && line.isEmpty && wifi == nil && cellular == nil && handOver == nil
    }

    /// Returns the phone's handling of its interfaces; `nil` if nothing ever happens to a single
    /// one.
    func settings(isTouched: Bool) -> DeviceNetwork.Settings? {
        let isThere = isTouched || handOver != nil || wifi != nil || cellular != nil
        return isThere ? handOver ?? DeviceNetwork.Settings() : nil
    }

    /// Returns the traffic of other senders; `first` is the number of the first link.
    func crossTraffic(from first: Int) -> CrossTraffic {
        var traffic = CrossTraffic()
        for (number, pair) in zip(first..., pairs.map(\.1)) {
            for (direction, link) in [
                (CrossTraffic.Direction.uplink, pair.uplink), (.downlink, pair.downlink),
            ] {
                guard let link else { continue }
                traffic.streams += link.streams.map { .init(direction, $0, interface: number) }
                traffic.flows += link.flows(direction, interface: number)
            }
        }
        return traffic
    }
}

/// A phone while it is read.
struct PhoneDraft {
    /// The name, empty for the first phone.
    var name = ""
    /// The number of items before those of its other apps, and whether all their queues were
    /// readable.
    var before = ItemCounts()
    var knowsQueues = false
    /// Whether the phone may have apps that could not be read.
    var hasUnreadApps = false
    /// Destinations of its other apps that leave the docroot.
    var outside: [OutsidePath] = []
    /// How its other apps sign in.
    var signIns: [PlacedSignIn] = []
    var plan = DevicePlan()
    var links = LinksDraft()
}
