import Checks
import Device
import DocrootServer
import Quantities
import RunLog
import RunPlan

/// A scenario while it is read: what was readable so far.
struct ScenarioDraft {
    var name: String?
    var why: String?
    var cites: [String] = []
    var seeds: [UInt64] = [1]
    var tags: [String] = []
    var device = DevicePlan()
    var otherPhones: [PhoneDraft] = []
    /// Paths of the files of all apps except the first; `nil` if unreadable.
    var otherPaths: [String]? = []
    /// All apps except the first; `nil` if unreadable.
    var appPlaces: [AppPlace]? = []
    var links = LinksDraft()
    /// The trace files that links follow.
    var traces: [IncludedTrace] = []
    var tcp = TCPSettings()
    var files: [PlannedFile] = []
    /// Every path under `files`, even with an unreadable size; `nil` without a list.
    var filePaths: [String]?
    var sessions: [PlannedSession] = []
    var app = AppPlan()
    /// The number of items before this app's, and of all items, readable or not.
    var before = ItemCounts()
    var counts = ItemCounts()
    /// Whether the queues of earlier apps were readable, and this app's own.
    var knowsQueuesBefore = true
    var knowsQueue = false
    /// The destinations of the queue's entries; `nil` if one was unreadable.
    var destinations: [String]?
    /// Destinations that leave the docroot.
    var outside: [OutsidePath] = []
    /// How the apps and their accounts sign in.
    var signIns: [PlacedSignIn] = []
    var limit = TimeSpan.seconds(600)
    var faults: [FaultRule] = []
    var server = ServerSettings()
    /// How phones find the server; `nil`: they know its address.
    var namePlan: NamePlan?
    var pacedDoor = PacedDoor.open
    /// Every fault under `server`, readable or not.
    var faultNames: [String] = []
    var visits: [Visit] = []
    /// Every visit, readable or not.
    var visitNames: [String] = []
    var timeline: [ScheduledEntry] = []
    var flows: [FlowGroup] = []
    /// Every name under `flows`, readable or not; `nil` if the list is unreadable.
    var flowNames: [String]? = []
    var expectations: [Scenario.Expectation] = []
    var sometimes: [Scenario.Expectation] = []
    /// The demand of a suite for evidence of each clause.
    var evidence: EvidenceDemand?
    var excuses: [Scenario.Excuse] = []
    var mustFail: String?
}

extension ScenarioDraft {
    /// The app whose keys are being read.
    var ownApp: PlannedApp { PlannedApp(files: files, sessions: sessions, app: app) }

    /// All apps as far as readable, in the order in which they are counted.
    var apps: [PlannedApp] { [ownApp] + device.apps + otherPhones.flatMap(\.plan.apps) }

    /// The number of sessions before this app's; `nil` if unreadable.
    var sessionsBefore: Int? { knowsQueuesBefore ? Int(before[.queue]) : nil }

    /// The number of queue entries, readable or not; `nil` without a list.
    var sessionCount: Int? {
        get { knowsQueue ? Int(counts[.queue]) : nil }
        set {
            knowsQueue = newValue != nil
            counts[.queue] = UInt64(newValue ?? 0)
        }
    }

    /// The paths of all apps' files; `nil` if one list is missing.
    var pathsOfAll: [String]? {
        filePaths.flatMap { first in otherPaths.map { first + $0 } }
    }

    /// Returns a phone's links; the first phone's if it has none.
    func links(of phone: Int) -> LinksDraft {
        guard phone > 0, !otherPhones[phone - 1].links.isEmpty else { return links }
        return otherPhones[phone - 1].links
    }

    func isAndroid(_ phone: Int) -> Bool {
        let system = phone == 0 ? device.system : otherPhones[phone - 1].plan.system
        return if case .android = system { true } else { false }
    }

    /// Returns a phone's handling of its interfaces.
    func network(of phone: Int) -> DeviceNetwork.Settings? {
        links(of: phone).settings(
            isTouched: timeline.contains {
                if case .network(_, phone) = $0.action { true } else { false }
            })
    }

    /// The phones after the first, whose names are prefixes of their links' names; `nil` if links
    /// are incomplete.
    var otherDevices: [OtherDevice]? {
        let devices = otherPhones.enumerated().compactMap { place, phone -> OtherDevice? in
            let links = links(of: place + 1)
            return links.interfaces(of: phone.name).map { interfaces in
                OtherDevice(
                    name: phone.name, plan: phone.plan, interfaces: interfaces,
                    network: network(of: place + 1), hasCopiedLinks: phone.links.isEmpty)
            }
        }
        return devices.count == otherPhones.count ? devices : nil
    }

    /// The interfaces of all phones, as far as readable.
    var interfaces: [InterfacePlan] {
        (links.interfaces() ?? []) + otherPhones.flatMap { $0.links.interfaces() ?? [] }
    }

    /// The traffic of other senders, none of them on copied links, and the named flows.
    var crossTraffic: CrossTraffic {
        var traffic = links.crossTraffic(from: 0)
        var first = links.interfaces()?.count ?? 0
        for (place, phone) in otherPhones.enumerated() {
            let others = phone.links.crossTraffic(from: first)
            traffic.streams += others.streams
            traffic.flows += others.flows
            first += links(of: place + 1).interfaces()?.count ?? 0
        }
        traffic.flows += flows
        return traffic
    }
}
