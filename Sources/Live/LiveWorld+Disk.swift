import Device
import RunPlan

/// The disks of a live run's phones: what the model says of them is done to the apps' processes, by
/// a limit on the size of their files.
extension LiveWorld {
    func recordDiskLimits(_ device: [DeviceEvent]) {
        let plans = setup.plan.phones.map(\.plan)
        if plans.contains(where: { $0.diskCapacity != nil }) {
            limited(
                "the capacity of the phone's disk did not apply: the apps had this machine's",
                remedy: "run the scenario simulated to see it")
        }
        if device.contains(.disk(.readsFail(true))) {
            limited(
                "“disk reads fail” did not apply: what the app read was there",
                remedy: "run the scenario simulated to see it")
        }
        if device.contains(.disk(.full(true))) {
            limited(
                "“disk full” kept every file of the app below the size of its largest; a smaller "
                    + "one could still grow up to that",
                remedy: "run the scenario simulated to see all of it")
        }
    }

    /// How large a file of the app may be at the moment, in bytes; `nil`: as large as it likes.
    func fileLimit(of app: LiveApp) -> UInt64? {
        let condition = phones[app.phone].disk.condition
        if condition.writesFail { return 0 }
        return condition.isFull ? app.container.largestStoreFile : nil
    }

    func limitFiles(of app: LiveApp) { app.process?.limitFiles(to: fileLimit(of: app)) }
}
