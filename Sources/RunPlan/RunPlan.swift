package import Content
package import Device
package import DocrootServer
package import LinkModels
package import Quantities

/// A run as data: everything both worlds need to know, and nothing about how they do it.
package struct RunPlan: Hashable, Sendable {
    package var name: String
    package var seed: UInt64
    /// The seed by which events of one moment change places in simulation; `nil` keeps the order in
    /// which they were made.
    package var ties: UInt64?
    package var device: DevicePlan
    package var otherDevices: [OtherDevice]
    /// The first phone's ways into the network; there is one at least.
    package var interfaces: [InterfacePlan]
    /// What the phone does with them; `nil`: it has one, which is always there.
    package var network: DeviceNetwork.Settings?
    package var tcp: TCPSettings
    package var crossTraffic: CrossTraffic
    /// What goes wrong in the server on purpose.
    package var faults: [FaultRule]
    package var timeline: [TimelineEntry]
    /// A run that is still busy then is ended and judged as it stands.
    package var limit: TimeSpan
    /// Where the run is one of many, each with a crash point of its own.
    package var cut: ProcessCut?

    package init(
        name: String, seed: UInt64, ties: UInt64? = nil, device: DevicePlan = DevicePlan(),
        otherDevices: [OtherDevice] = [], interfaces: [InterfacePlan],
        network: DeviceNetwork.Settings? = nil, tcp: TCPSettings = TCPSettings(),
        crossTraffic: CrossTraffic = CrossTraffic(), faults: [FaultRule] = [],
        timeline: [TimelineEntry], limit: TimeSpan
    ) {
        self.name = name
        self.seed = seed
        self.ties = ties
        self.device = device
        self.otherDevices = otherDevices
        self.interfaces = interfaces
        self.network = network
        self.tcp = tcp
        self.crossTraffic = crossTraffic
        self.faults = faults
        self.timeline = timeline
        self.limit = limit
    }

    /// A run whose first phone has one app.
    package init(
        name: String, seed: UInt64, device: DevicePlan = DevicePlan(), files: [PlannedFile],
        interfaces: [InterfacePlan], network: DeviceNetwork.Settings? = nil,
        tcp: TCPSettings = TCPSettings(), sessions: [PlannedSession], app: AppPlan = AppPlan(),
        faults: [FaultRule] = [], timeline: [TimelineEntry], limit: TimeSpan
    ) {
        var device = device
        device.apps.insert(PlannedApp(files: files, sessions: sessions, app: app), at: 0)
        self.init(
            name: name, seed: seed, device: device, interfaces: interfaces, network: network,
            tcp: tcp, faults: faults, timeline: timeline, limit: limit)
    }

    /// What the first app of the first phone has, and does.
    package var files: [PlannedFile] {
        get { device.apps[0].files }
        set { device.apps[0].files = newValue }
    }
    package var sessions: [PlannedSession] {
        get { device.apps[0].sessions }
        set { device.apps[0].sessions = newValue }
    }
    package var app: AppPlan {
        get { device.apps[0].app }
        set { device.apps[0].app = newValue }
    }

    /// Those of the first interface.
    package var uplink: LinkPlan { interfaces[0].uplink }
    package var downlink: LinkPlan { interfaces[0].downlink }
}

extension RunPlan {
    /// Every version that a file of any app may come to have: those that are there, and one for
    /// each change.
    package var fileVersions: [FileVersion] {
        AppRoll(self).entries.flatMap(\.plan.files).flatMap { file in
            var changes = 0
            for entry in timeline {
                guard case .changeFile(let change) = entry.action, change.path == file.path,
                    change.makesVersion
                else { continue }
                changes += entry.mostTimes
            }
            return (0...UInt32(changes)).map { FileVersion(file: file.version.file, edit: $0) }
        }
    }
}

/// A file in the app's container.
package struct PlannedFile: Hashable, Sendable {
    package var path: String
    package var version: FileVersion
    package var size: ByteCount

    package init(path: String, version: FileVersion, size: ByteCount) {
        self.path = path
        self.version = version
        self.size = size
    }
}
