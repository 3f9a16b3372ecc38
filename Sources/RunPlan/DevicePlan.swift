package import Device
package import Protocols
package import Quantities
package import RunLog

/// A phone of the run.
package struct DevicePlan: Hashable, Sendable {
    /// `nil`: the plan says nothing about the phone, and apps are never suspended.
    package var system: OperatingSystem?
    /// Whether apps ask for background time (A11's switch).
    package var asksForBackgroundTime: Bool
    /// Whether apps hear of the files of persistent sessions, which nobody promises (P6).
    package var tellsOfPaths = true
    /// The time from a restart, or from the return of power, until the phone is up.
    package var startTime = Device.usualStartTime
    /// The space for the files and stores of all apps; `nil`: always enough.
    package var diskCapacity: ByteCount?
    package var apps: [PlannedApp]

    package init(
        system: OperatingSystem? = nil, asksForBackgroundTime: Bool = true,
        diskCapacity: ByteCount? = nil, apps: [PlannedApp] = []
    ) {
        self.system = system
        self.asksForBackgroundTime = asksForBackgroundTime
        self.diskCapacity = diskCapacity
        self.apps = apps
    }
}

extension DevicePlan {
    /// The version of resumable uploads that the system supports: URLSession has them since iOS 17.
    /// An unknown system is a new iPhone.
    package var resumableUploads: ResumableUploadVersion? {
        switch system {
        case .iOS(...16), .android: nil
        case .iOS(17): .three
        case .iOS, nil: .six
        }
    }
}

extension RunPlan {
    /// The time that the slowest of the phones takes to start.
    package var longestStart: TimeSpan {
        otherDevices.map(\.plan.startTime).reduce(device.startTime, max)
    }
}

/// A phone besides the first one, with links of its own.
package struct OtherDevice: Hashable, Sendable {
    package var name: String
    package var plan: DevicePlan
    /// The phone's interfaces, at least one.
    package var interfaces: [InterfacePlan]
    /// How the phone uses its interfaces; `nil`: it has one, which is always up.
    package var network: DeviceNetwork.Settings?
    /// Whether the interfaces are copies of the first phone's.
    package var hasCopiedLinks: Bool

    package init(
        name: String, plan: DevicePlan, interfaces: [InterfacePlan],
        network: DeviceNetwork.Settings? = nil, hasCopiedLinks: Bool = false
    ) {
        self.name = name
        self.plan = plan
        self.interfaces = interfaces
        self.network = network
        self.hasCopiedLinks = hasCopiedLinks
    }
}

/// All installed apps of a run, in the order in which they are counted.
package struct AppRoll: Hashable, Sendable {
    package var entries: [Entry]

    package struct Entry: Hashable, Sendable {
        package var device: Int
        /// The app's place on its device, from 0.
        package var place: Int
        package var plan: PlannedApp
    }

    package init(_ run: RunPlan) {
        let devices = [run.device] + run.otherDevices.map(\.plan)
        entries = devices.enumerated().flatMap { device, plan in
            plan.apps.enumerated().map { Entry(device: device, place: $0.offset, plan: $0.element) }
        }
        for case .asks(let command) in run.timeline.map(\.action) {
            let (app, command) = owner(of: command)
            guard let item = command.begun, item.facade != .queue else { continue }
            entries[app].plan.app.begunByHand.append(item)
        }
    }

    /// Returns the app that a command of the plan is for, by its place in the roll, and the command
    /// in the app's own numbers.
    package func owner(of command: AppPlan.Command) -> (app: Int, command: AppPlan.Command) {
        switch command {
        case .start, .stop, .doNotStart, .emptyLists, .deleteAccount, .listen, .signIn,
            .invalidate, .demarcate:
            return (0, command)
        case .item(let step, let item):
            let (app, own) = owner(of: item)
            return (app, .item(step, own))
        case .save(let number):
            let (app, own) = owner(ofSession: number)
            return (app, .save(own))
        case .shorten(let number):
            let (app, own) = owner(ofSession: number)
            return (app, .shorten(own))
        case .move(let number, let index):
            let (app, own) = owner(ofSession: number)
            return (app, .move(own, toIndex: index))
        case .insert(let number, let index):
            let (app, own) = owner(ofSession: number)
            return (app, .insert(own, atIndex: index))
        case .change(let number, let change):
            let (app, own) = owner(ofSession: number)
            return (app, .change(own, change))
        case .addPath(let number, let path):
            let (app, own) = owner(ofSession: number)
            return (app, .addPath(own, path: path))
        }
    }

    private func owner(ofSession number: Int) -> (app: Int, own: Int) {
        let (app, own) = owner(of: ItemName(UInt64(number)))
        return (app, Int(own.number))
    }

    private func owner(of item: ItemName) -> (app: Int, own: ItemName) {
        var before: UInt64 = 0
        for (app, entry) in entries.enumerated() {
            let count = entry.plan.counts[item.facade]
            if item.number <= before + count {
                return (app, ItemName(item.number - before, of: item.facade))
            }
            before += count
        }
        preconditionFailure("no app has \(item)")
    }

    /// The number of items of all apps.
    package var counts: ItemCounts {
        entries.reduce(into: ItemCounts()) { $0 += $1.plan.counts }
    }

    /// Returns the size of all files on a phone at the start.
    package func sizeOfFiles(onDevice device: Int) -> ByteCount {
        entries.filter { $0.device == device }.flatMap(\.plan.files)
            .reduce(.zero) { $0 + $1.size }
    }
}
