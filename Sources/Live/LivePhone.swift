import Device
import Quantities
import Recording
import RunLog
import RunPlan

/// The model of a live run's phone, and what it has still to be told.
struct LivePhone {
    var device: Device
    var recorder: DeviceRecorder
    var deadline: Instant?
    var inputs: [DeviceInput] = []
    /// Of the app since its data was last cleared.
    var launches: UInt32 = 0
    /// What was counted before that.
    var sessionsBefore: UInt64 = 0

    mutating func take(_ request: AppRequest) {
        switch request {
        case .beginTask(let task): inputs.append(.beginTask(0, task))
        case .endTask(let task): inputs.append(.endTask(0, task))
        }
    }

    init(_ plan: DevicePlan, at now: Instant, into log: inout RunLogSink) {
        device = Device(plan.system, apps: 1)
        recorder = DeviceRecorder(device: 0, appsBefore: 0, apps: 1)
        guard let system = plan.system else { return }
        recorder.recordStart(
            system, wallNanoseconds: device.wallNanoseconds(at: now), at: now, into: &log)
    }
}
