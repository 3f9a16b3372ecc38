import Checks
import Device
import DocrootServer
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
    var links = LinksDraft()
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
    /// What the phone does with its interfaces.
    var network: DeviceNetwork.Settings? {
        links.settings(
            isTouched: timeline.contains {
                if case .network = $0.action { true } else { false }
            })
    }
}
