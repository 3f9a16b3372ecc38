package import Device
package import Quantities
package import RunLog

/// Turns what a phone wants done into events of the log; both worlds use it.
package struct DeviceRecorder: Sendable {
    /// `nil` is the first phone of the run.
    private let device: UInt16?
    /// How many apps stand before its own in the run's plan.
    private let appsBefore: Int
    /// The latest launch of each app.
    private var launches: [UInt32]

    package init(device: Int, appsBefore: Int, apps: Int) {
        self.device = RunNames.number(ofPlace: device)
        self.appsBefore = appsBefore
        launches = Array(repeating: 0, count: apps)
    }

    /// Whose events those of this app are.
    package func name(ofApp app: Int) -> UInt16? {
        RunNames.number(ofPlace: appsBefore + app)
    }

    package func launch(ofApp app: Int) -> UInt32 { launches[app] }

    package func recordStart(
        _ system: OperatingSystem, wallNanoseconds: UInt64, at now: Instant,
        into log: inout RunLogSink
    ) {
        let fact = DeviceFact.stands(
            os: "\(system)", wallNanoseconds: wallNanoseconds, device: device)
        log.record(.device(fact), at: now)
    }

    /// What the apps of the phone have for their files and stores, where that is limited.
    package func recordDisk(_ space: DiskSpace, at now: Instant, into log: inout RunLogSink) {
        guard let capacity = space.capacity else { return }
        let fact = DeviceFact.diskStands(capacity: capacity, used: space.used, device: device)
        log.record(.device(fact), at: now)
    }

    /// `launch` is the number of the launch that this is, if it is one.
    package mutating func record(
        _ output: DeviceOutput, launch: UInt32, at now: Instant, into log: inout RunLogSink
    ) {
        if case .launch(let app, _) = output { launches[app] = launch }
        let (app, fact) = fact(of: output)
        if let fact { log.record(.device(fact), at: now, app: app) }
        // A task each.
        if case .expire(let app, let tasks, let deadline) = output {
            for task in tasks {
                log.record(
                    .device(
                        .taskExpires(launch: launches[app], task: task, deadline: deadline)),
                    at: now, app: name(ofApp: app))
            }
        }
    }

    private func fact(of output: DeviceOutput) -> (app: UInt16?, DeviceFact?) {
        switch output {
        case .launch(let app, let inBackground):
            (
                name(ofApp: app),
                .appLaunched(launch: launches[app], by: inBackground ? .system : nil)
            )
        case .enter(let app, let state, let because):
            (
                name(ofApp: app),
                Self.stage(state).map {
                    .appEntered(launch: launches[app], stage: $0, because: because)
                }
            )
        case .expire: (nil, nil)
        case .end(let app, let death):
            (name(ofApp: app), .appKilled(launch: launches[app], why: death.map(Self.end)))
        case .clearData(let app): (name(ofApp: app), .appDataCleared)
        case .flipBits(let app, let count): (name(ofApp: app), .bitsFlipped(count: count))
        // Of no app: the daemon's facts tell it.
        case .flipDaemonBits: (nil, nil)
        case .moveContainer(let app, let version):
            (name(ofApp: app), .appUpdated(container: "Containers/\(version)"))
        case .power(let change): (nil, .power(Self.step(change), device: device))
        case .disk(_, let change): (nil, .disk(Self.step(change), device: device))
        case .note(let note): fact(of: note)
        }
    }

    private func fact(of note: DeviceNote) -> (app: UInt16?, DeviceFact?) {
        switch note {
        case .taskBegan(let app, let task, let deadline):
            (
                name(ofApp: app),
                .taskBegan(launch: launches[app], task: task, deadline: deadline)
            )
        case .taskEnded(let app, let task):
            (name(ofApp: app), .taskEnded(launch: launches[app], task: task))
        case .memoryPressure: (nil, .memoryPressure(device: device))
        case .lowPower(let isOn): (nil, .lowPower(on: isOn, device: device))
        case .charger(let isConnected):
            (nil, .charger(connected: isConnected, device: device))
        case .wallClockJumped(let span, let shows, let cause):
            (
                nil,
                .wallClockJumped(
                    by: span, wallNanoseconds: shows, because: cause.rawValue, device: device)
            )
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

    private static func end(_ death: ProcessDeath) -> ProcessEnd {
        switch death {
        case .crash: .crash
        case .forceQuit: .forceQuit
        case .memory: .memory
        case .taskOverdue: .taskOverdue
        case .taskBegunAtExpiry: .taskBegunAtExpiry
        case .reboot: .reboot
        case .powerLoss: .powerLoss
        case .dataCleared: .dataCleared
        case .update: .update
        }
    }

    private static func step(_ change: DiskCondition.Change) -> DiskStep {
        switch change {
        case .full(let isFull): isFull ? .full : .hasSpace
        case .writesFail(let writesFail): writesFail ? .writesFail : .writesWork
        case .readsFail(let readsFail): readsFail ? .readsFail : .readsWork
        }
    }

    private static func step(_ change: PowerChange) -> PowerStep {
        switch change {
        case .lost: .lost
        case .restarting: .restarting
        case .back: .back
        case .up: .up
        }
    }
}
