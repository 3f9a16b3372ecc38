import Checks
import Device
import DocrootServer
import LinkModels
import Quantities
import RunPlan

/// A scenario while it is being read: what could be understood so far.
struct ScenarioDraft {
    var name: String?
    var why: String?
    var cites: [String] = []
    var seeds: [UInt64] = [1]
    var tags: [String] = []
    var device = DevicePlan()
    var otherDevices: [OtherDevice] = []
    /// Of the files of all apps.
    var pathsOfAll: Set<String> = []
    /// All apps but the first one.
    var appPlaces: [AppPlace] = []
    var uplink: LinkDraft?
    var downlink: LinkDraft?
    /// A phone with interfaces has these instead of the two above.
    var wifi: LinkPairDraft?
    var cellular: LinkPairDraft?
    var handOver: DeviceNetwork.Settings?
    var tcp = TCPSettings()
    var files: [PlannedFile] = []
    /// Every path under `files`, also where its size could not be read; `nil` if there was no list.
    var filePaths: [String]?
    var sessions: [PlannedSession] = []
    var app = AppPlan()
    /// How many entries the queue has, readable or not; `nil` if there was no list.
    var sessionCount: Int?
    /// Where the queue's entries go; `nil` if that could not be read of all of them.
    var destinations: [String]?
    var limit = TimeSpan.seconds(600)
    var faults: [FaultRule] = []
    /// Every fault under `server`, readable or not.
    var faultNames: [String] = []
    var timeline: [ScheduledEntry] = []
    var expectations: [Scenario.Expectation] = []
    var sometimes: [Scenario.Expectation] = []
    var excuses: [Scenario.Excuse] = []
    var mustFail: String?
}

extension ScenarioDraft {
    /// The ways into the network with what they are, in the order of their numbers.
    private var pairs: [(InterfaceKind, LinkPairDraft)] {
        if wifi == nil, cellular == nil {
            return [(.line, LinkPairDraft(uplink: uplink, downlink: downlink))]
        }
        return [(InterfaceKind.wifi, wifi), (.cellular, cellular)].compactMap { kind, pair in
            pair.map { (kind, $0) }
        }
    }

    /// `nil` if one of them is not complete.
    var interfaces: [InterfacePlan]? {
        let plans = pairs.compactMap { $0.1.plan($0.0) }
        return plans.count == pairs.count ? plans : nil
    }

    /// What the phone does with its interfaces; `nil` where nothing ever happens to the only one.
    var network: DeviceNetwork.Settings? {
        let isTouched = timeline.contains { if case .network = $0.action { true } else { false } }
        let isThere = isTouched || handOver != nil || wifi != nil || cellular != nil
        return isThere ? handOver ?? DeviceNetwork.Settings() : nil
    }

    var crossTraffic: CrossTraffic {
        var traffic = CrossTraffic()
        for (number, pair) in pairs.map(\.1).enumerated() {
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
