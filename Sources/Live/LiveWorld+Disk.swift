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

    /// The same of a file of the phone's transfer daemon.
    func fileLimit(of daemon: LiveDaemon) -> UInt64? {
        fileLimit(on: daemon.phone, inStoreOf: daemon.largestStoreFile)
    }

    /// How large a file of the app may be at the moment, in bytes; `nil`: as large as it likes.
    func fileLimit(of app: LiveApp) -> UInt64? {
        fileLimit(on: app.phone, inStoreOf: app.container.largestStoreFile)
    }

    private func fileLimit(on phone: Int, inStoreOf largest: UInt64) -> UInt64? {
        let condition = phones[phone].disk.condition
        if condition.writesFail { return 0 }
        return condition.isFull ? largest : nil
    }

    func limitFiles(of app: LiveApp) { app.process?.limitFiles(to: fileLimit(of: app)) }

    func limitFiles(of daemon: LiveDaemon?) {
        guard let daemon else { return }
        daemon.process?.limitFiles(to: fileLimit(of: daemon))
    }
}
