package import Content
package import Device
package import DocrootServer
package import LinkModels
package import Quantities

/// A run as data: everything both worlds need to know, and nothing about how they do it.
package struct RunPlan: Hashable, Sendable {
    package var name: String
    package var seed: UInt64
    /// The seed that shuffles simultaneous events in simulation; `nil`: in order of insertion.
    package var ties: UInt64?
    package var device: DevicePlan
    package var otherDevices: [OtherDevice] = []
    /// The first phone's interfaces, at least one.
    package var interfaces: [InterfacePlan]
    /// How the phone uses its interfaces; `nil`: it has one, which is always up.
    package var network: DeviceNetwork.Settings?
    package var tcp = TCPSettings()
    package var crossTraffic = CrossTraffic()
    /// How phones find the server; `nil`: they know its address.
    package var names: NamePlan?
    /// What becomes of packets of the paced transport.
    package var pacedDoor = PacedDoor.open
    /// Faults of the server.
    package var faults: [FaultRule] = []
    /// Requests of clients beside the server, which the timeline begins.
    package var visits: [Visit] = []
    /// The server's settings, but for its faults.
    package var server = ServerSettings()
    package var timeline: [TimelineEntry]
    /// The time at which an unfinished run is ended and judged.
    package var limit: TimeSpan
    /// The crash point of a run.
    package var cut: ProcessCut?

    package init(
        name: String, seed: UInt64, device: DevicePlan, interfaces: [InterfacePlan],
        timeline: [TimelineEntry], limit: TimeSpan
    ) {
        self.name = name
        self.seed = seed
        self.device = device
        self.interfaces = interfaces
        self.timeline = timeline
        self.limit = limit
    }

    /// The files of the first phone's first app.
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

    /// The port on which the server of a plan listens.
    package var usualPort: UInt16 { tcp.security == .none ? 80 : 443 }

    package var serverSettings: ServerSettings {
        var settings = server
        settings.faults = FaultScript(faults, seed: seed)
        settings.pacedPort = pacedDoor == .missing ? nil : PacedDoor.port
        return settings
    }

    /// The uplink of the first interface.
    package var uplink: LinkPlan { interfaces[0].uplink }
    package var downlink: LinkPlan { interfaces[0].downlink }
}

extension RunPlan {
    /// All possible versions of all files: the first, and one for each change.
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
