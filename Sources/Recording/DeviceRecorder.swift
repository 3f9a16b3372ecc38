package import Device
package import Quantities
package import RunLog

/// Writes a phone's outputs to the log, in both worlds.
package struct DeviceRecorder: Sendable {
    /// The phone; `nil` is the first one.
    private let device: UInt16?
    /// The number of apps in the plan before the phone's own.
    private let appsBefore: Int
    private var launches: [UInt32]

    package init(device: Int, appsBefore: Int, apps: Int) {
        self.device = RunNames.number(ofPlace: device)
        self.appsBefore = appsBefore
        launches = Array(repeating: 0, count: apps)
    }

    /// App number for the log; `nil` for the first app.
    package func name(ofApp app: Int) -> UInt16? {
        RunNames.number(ofPlace: appsBefore + app)
    }

    package func launch(ofApp app: Int) -> UInt32 { launches[app] }

    package func recordStart(
        _ system: OperatingSystem, wallNanoseconds: UInt64, at now: Instant,
        into log: inout RunLogSink
    ) {
        let apps = device.map { _ in
            launches.indices.map { name(ofApp: $0) ?? 1 }
        }
        let fact = DeviceFact.stands(
            os: "\(system)", wallNanoseconds: wallNanoseconds, device: device, apps: apps)
        log.record(.device(fact), at: now)
    }

    /// Records the room for the apps' files and stores, if it is limited.
    package func recordDisk(_ space: DiskSpace, at now: Instant, into log: inout RunLogSink) {
        guard let capacity = space.capacity else { return }
        let fact = DeviceFact.diskStands(capacity: capacity, used: space.used, device: device)
        log.record(.device(fact), at: now)
    }

    /// Records an output; `launch` is the number of a new launch.
    package mutating func record(
        _ output: DeviceOutput, launch: UInt32, at now: Instant, into log: inout RunLogSink
    ) {
        func record(_ fact: DeviceFact, of app: Int? = nil) {
            log.record(.device(fact), at: now, app: app.flatMap(name(ofApp:)))
        }
        switch output {
        case .launch(let app, let inBackground):
            launches[app] = launch
            record(.appLaunched(launch: launch, by: inBackground ? .system : nil), of: app)
        case .enter(let app, let state, let because):
            guard let stage = Self.stage(state) else { break }
            record(.appEntered(launch: launches[app], stage: stage, because: because), of: app)
        case .expire(let app, let tasks, let deadline):
            for task in tasks {
                record(
                    .taskExpires(launch: launches[app], task: task, deadline: deadline), of: app)
            }
        case .end(let app, let death):
            record(.appKilled(launch: launches[app], why: death), of: app)
        // The device notes when a fetch begins.
        case .fetch: break
        case .clearData(let app): record(.appDataCleared, of: app)
        case .flipBits(let app, let count): record(.bitsFlipped(count: count), of: app)
        // The daemon's facts report its own bits.
        case .flipDaemonBits: break
        case .moveContainer(let app, let version):
            record(.appUpdated(container: "Containers/\(version)"), of: app)
        case .power(let step): record(.power(step, device: device))
        case .disk(_, let change): record(.disk(Self.step(change), device: device))
        case .note(let fact, let app):
            let launch = app.map { launches[$0] }
            record(fact.numbered(launch: launch ?? 0, device: device), of: app)
        }
    }

    private static func stage(_ state: AppState) -> AppStage? {
        switch state {
        case .notRunning: nil
        case .inactive: .inactive
        case .active: .active
        case .background: .background
        case .suspended: .suspended
        }
    }

    private static func step(_ change: DiskCondition.Change) -> DiskStep {
        switch change {
        case .full(let isFull): isFull ? .full : .hasSpace
        case .writesFail(let writesFail): writesFail ? .writesFail : .writesWork
        case .readsFail(let readsFail): readsFail ? .readsFail : .readsWork
        }
    }
}
