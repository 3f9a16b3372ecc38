import Device
import Quantities
import Recording
import RunLog
import RunPlan

/// The model of a live run's phone, and its pending inputs.
struct LivePhone {
    /// Its apps among all apps of the run.
    let apps: Range<Int>
    var device: Device
    var network: LiveNetwork
    /// Its disk, if the plan has rules for it; otherwise this machine's disk is used.
    let disk: SharedDisk?
    var recorder: DeviceRecorder
    var deviceDeadline: Instant?
    var inputs: [DeviceInput] = []
    /// The source of bit flips in stores.
    var flips: RandomStream
    /// The transfer daemon, if an app has tasks for it.
    let daemon: LiveDaemon?
    var hasCharger = false
    /// Whether it has power but is not up yet.
    var isStarting = false
    private let system: OperatingSystem?

    init(
        _ phone: PhoneEntry, disk: SharedDisk?, daemon: LiveDaemon?, portalPort: UInt16?,
        seed: UInt64
    ) {
        self.daemon = daemon
        flips = RandomStream(
            seed: seed,
            name: phone.number == 0 ? "phone/flips" : "phone-\(phone.number + 1)/flips")
        system = phone.plan.system
        apps = phone.apps
        self.disk = disk
        network = LiveNetwork(phone, portalPort: portalPort)
        device = Device(system, apps: apps.count, startTime: phone.plan.startTime)
        recorder = DeviceRecorder(
            device: phone.number, appsBefore: apps.lowerBound, apps: apps.count)
    }

    mutating func begin(at now: Instant, into log: inout RunLogSink) {
        if let system {
            recorder.recordStart(
                system, wallNanoseconds: device.wallNanoseconds(at: now), at: now, into: &log)
        }
        network.begin(at: now, into: &log)
    }

    var deadline: Instant? {
        [deviceDeadline, network.deadline].compactMap(\.self).min()
    }
}
