import Device
import LinkModels
import RunLog
import RunPlan

/// A phone's links as they are being read: one way into the network, or those of its interfaces.
struct LinksDraft {
    /// The profile that the phone itself names for both directions, be it known or not.
    var network: String?
    var uplink: LinkDraft?
    var downlink: LinkDraft?
    var translator: TranslatorPlan?
    /// A phone with interfaces has these instead of the two above.
    var wifi: LinkPairDraft?
    var cellular: LinkPairDraft?
    var handOver: DeviceNetwork.Settings?

    /// The ways into the network with what they are, in the order of their numbers.
    private var pairs: [(InterfaceKind, LinkPairDraft)] {
        if wifi == nil, cellular == nil {
            return [
                (.line, LinkPairDraft(uplink: uplink, downlink: downlink, translator: translator))
            ]
        }
        return [(InterfaceKind.wifi, wifi), (.cellular, cellular)].compactMap { kind, pair in
            pair.map { (kind, $0) }
        }
    }

    /// `nil` if one of them is not complete.
    func interfaces(of phone: String = "") -> [InterfacePlan]? {
        let plans = pairs.compactMap { $0.1.plan($0.0, of: phone) }
        return plans.count == pairs.count ? plans : nil
    }

    func has(_ kind: InterfaceKind) -> Bool {
        switch kind {
        case .line: uplink != nil
        case .wifi: wifi != nil
        case .cellular: cellular != nil
        }
    }

    /// Whether nothing is said of them.
    var isEmpty: Bool {
        network == nil && uplink == nil && downlink == nil && wifi == nil && cellular == nil
            && handOver == nil && translator == nil
    }

    /// What the phone does with its interfaces; `nil` where nothing ever happens to the only one.
    func settings(isTouched: Bool) -> DeviceNetwork.Settings? {
        let isThere = isTouched || handOver != nil || wifi != nil || cellular != nil
        return isThere ? handOver ?? DeviceNetwork.Settings() : nil
    }

    /// What others send on these links, the first of which has this number.
    func crossTraffic(from first: Int) -> CrossTraffic {
        var traffic = CrossTraffic()
        for (number, pair) in zip(first..., pairs.map(\.1)) {
            for (direction, link) in [
                (CrossTraffic.Direction.uplink, pair.uplink), (.downlink, pair.downlink),
            ] {
                guard let link else { continue }
                traffic.streams += link.streams.map { .init(direction, $0, interface: number) }
                traffic.competitions += link.competitions(direction, interface: number)
            }
        }
        return traffic
    }
}

/// A phone as it is being read.
struct PhoneDraft {
    /// The first has none.
    var name = ""
    /// How many items are counted before those of its other apps, and whether all queues among them
    /// could be read.
    var before = ItemCounts()
    var knowsQueues = false
    /// Whether there may be apps on it, with files and sessions, of which nothing is known.
    var hasUnreadApps = false
    var plan = DevicePlan()
    var links = LinksDraft()
}
