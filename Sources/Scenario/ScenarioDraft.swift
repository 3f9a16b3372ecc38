import Checks
import Device
import DocrootServer
import Quantities
import RunLog
import RunPlan

/// A scenario while it is being read: what could be understood so far.
struct ScenarioDraft {
    var name: String?
    var why: String?
    var cites: [String] = []
    var seeds: [UInt64] = [1]
    var tags: [String] = []
    var device = DevicePlan()
    var otherPhones: [PhoneDraft] = []
    /// Of the files of all apps but the first one; `nil` if nobody knows.
    var otherPaths: [String]? = []
    /// All apps but the first one; `nil` if nobody knows.
    var appPlaces: [AppPlace]? = []
    var links = LinksDraft()
    var tcp = TCPSettings()
    var files: [PlannedFile] = []
    /// Every path under `files`, also where its size could not be read; `nil` if there was no list.
    var filePaths: [String]?
    var sessions: [PlannedSession] = []
    var app = AppPlan()
    /// The number of items before those of this app, and of all items, readable or not.
    var before = ItemCounts()
    var counts = ItemCounts()
    /// Whether the queues of the apps before this one could be read, and its own.
    var knowsQueuesBefore = true
    var knowsQueue = false
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
    /// The app whose keys are read.
    var ownApp: PlannedApp { PlannedApp(files: files, sessions: sessions, app: app) }

    /// All apps, as far as they could be read, in the order in which they are counted.
    var apps: [PlannedApp] { [ownApp] + device.apps + otherPhones.flatMap(\.plan.apps) }

    /// `nil` if nobody knows.
    var sessionsBefore: Int? { knowsQueuesBefore ? Int(before[.queue]) : nil }

    /// How many entries the queue has, readable or not; `nil` if there was no list.
    var sessionCount: Int? {
        get { knowsQueue ? Int(counts[.queue]) : nil }
        set {
            knowsQueue = newValue != nil
            counts[.queue] = UInt64(newValue ?? 0)
        }
    }

    /// Of the files of all apps; `nil` if there was no list of one.
    var pathsOfAll: [String]? {
        filePaths.flatMap { first in otherPaths.map { first + $0 } }
    }

    /// Those of the first phone are those of all that say nothing of theirs.
    func links(of phone: Int) -> LinksDraft {
        guard phone > 0, !otherPhones[phone - 1].links.isEmpty else { return links }
        return otherPhones[phone - 1].links
    }

    func isAndroid(_ phone: Int) -> Bool {
        let system = phone == 0 ? device.system : otherPhones[phone - 1].plan.system
        return if case .android = system { true } else { false }
    }

    /// What a phone does with its interfaces.
    func network(of phone: Int) -> DeviceNetwork.Settings? {
        links(of: phone).settings(
            isTouched: timeline.contains {
                if case .network(_, phone) = $0.action { true } else { false }
            })
    }

    /// Phones beside the first, each with its name in front of those of its links; `nil` if links
    /// of one are not complete.
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

    /// On copied links there is nobody else.
    var crossTraffic: CrossTraffic {
        var traffic = links.crossTraffic(from: 0)
        var first = links.interfaces()?.count ?? 0
        for (place, phone) in otherPhones.enumerated() {
            let others = phone.links.crossTraffic(from: first)
            traffic.streams += others.streams
            traffic.competitions += others.competitions
            first += links(of: place + 1).interfaces()?.count ?? 0
        }
        return traffic
    }
}
