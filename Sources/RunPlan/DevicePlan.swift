package import Device
package import Protocols
package import Quantities
package import RunLog

/// A phone of the run.
package struct DevicePlan: Hashable, Sendable {
    /// `nil`: the plan says nothing of the phone, and nothing is ever suspended.
    package var system: OperatingSystem?
    /// Whether its apps ask for time in the background (A11's switch).
    package var asksForBackgroundTime: Bool
    /// What its apps have for their files and stores, all together; `nil`: always enough.
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
    /// The dialect of resumable uploads that its system speaks, if it does: URLSession has them
    /// since iOS 17. A phone of which nothing is said is a new one.
    package var resumableUploads: ResumableUploadVersion? {
        switch system {
        case .iOS(...16), .android: nil
        case .iOS(17): .three
        case .iOS, nil: .six
        }
    }
}

/// A phone beside the first one: it reaches the servers by links of its own.
package struct OtherDevice: Hashable, Sendable {
    package var name: String
    package var plan: DevicePlan
    /// Its ways into the network; there is one at least.
    package var interfaces: [InterfacePlan]
    /// What it does with them; `nil`: it has one, which is always there.
    package var network: DeviceNetwork.Settings?
    /// Whether they are copies of those of the first phone.
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

/// Everything that is installed somewhere in a run, in the order in which it is counted.
package struct AppRoll: Hashable, Sendable {
    package var entries: [Entry]

    package struct Entry: Hashable, Sendable {
        package var device: Int
        /// Among the apps of its device, counted from 0.
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

    /// Whose a command of the plan is, by its place in the roll, and the same in that app's own
    /// numbers.
    package func owner(of command: AppPlan.Command) -> (app: Int, command: AppPlan.Command) {
        switch command {
        case .start, .stop, .doNotStart, .emptyLists, .deleteAccount: return (0, command)
        case .item(let step, let item):
            let (app, own) = owner(of: item)
            return (app, .item(step, own))
        case .save(let number):
            let (app, own) = owner(ofSession: number)
            return (app, .save(own))
        case .move(let number, let index):
            let (app, own) = owner(ofSession: number)
            return (app, .move(own, toIndex: index))
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

    /// How many items all apps have.
    package var counts: ItemCounts {
        entries.reduce(into: ItemCounts()) { $0 += $1.plan.counts }
    }

    /// What lies on a phone's disk from the start.
    package func sizeOfFiles(onDevice device: Int) -> ByteCount {
        entries.filter { $0.device == device }.flatMap(\.plan.files)
            .reduce(.zero) { $0 + $1.size }
    }
}
