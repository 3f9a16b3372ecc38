package import Quantities

/// The phones and the life cycles of their apps. Launches are counted from 1 through the whole run.
/// A fact about a whole phone names the phone; `nil` is the first one.
package enum DeviceFact: Hashable, Sendable, Codable {
    /// Background tasks with larger numbers are those that an app begins without its engine.
    package static let lastTaskOfEngine: UInt32 = 1_000_000

    /// The phone's system and wall clock, in nanoseconds since 1970, if the plan has them. `apps`
    /// are the apps on this phone; `nil` for the first phone.
    case stands(
        os: String, wallNanoseconds: UInt64, device: UInt16? = nil, apps: [UInt16]? = nil)
    /// The app's process began; `by` is `nil` if a user tapped the app.
    case appLaunched(launch: UInt32, by: AppLauncher? = nil)
    /// The app's process ended without a warning; `why` is `nil` for a plain kill.
    case appKilled(launch: UInt32, why: ProcessEnd? = nil)
    /// A live app's process ended although nothing killed it.
    case appCrashed(launch: UInt32, how: String)
    /// The app entered a stage. The app is told, except of suspension.
    case appEntered(launch: UInt32, stage: AppStage, because: String)
    /// The app began a background task. `deadline` is `nil` while the app is in the foreground, or
    /// a mode holds it: the time does not run then.
    case taskBegan(launch: UInt32, task: UInt32, deadline: Instant?)
    /// The expiry handler runs; the app must end the task before the deadline.
    case taskExpires(launch: UInt32, task: UInt32, deadline: Instant)
    case taskEnded(launch: UInt32, task: UInt32)
    /// The system lets the app fetch in the background; its handler is to be called before the
    /// deadline.
    case fetchBegan(launch: UInt32, deadline: Instant)
    /// The app called the handler of its fetch.
    case fetchEnded(launch: UInt32, FetchResult)
    /// A mode holds the app awake from now on, in the background too, where no time runs out.
    case modeBegan(launch: UInt32, BackgroundMode)
    case modeEnded(launch: UInt32, BackgroundMode)
    /// The system left the app asleep although events of its transfers wait.
    case wakeRefused(because: WakeRefusal)
    case appDataCleared
    /// Bits of the app's store flipped by themselves.
    case bitsFlipped(count: UInt32)
    case appUpdated(container: String)
    case memoryPressure(device: UInt16? = nil)
    case power(PowerStep, device: UInt16? = nil)
    case lowPower(on: Bool, device: UInt16? = nil)
    /// A call; a phone that restarts or loses its power ends its call without this fact.
    case call(on: Bool, device: UInt16? = nil)
    /// The charger; a run begins without one.
    case charger(connected: Bool, device: UInt16? = nil)
    case wallClockJumped(
        by: TimeSpan, wallNanoseconds: UInt64, because: String, device: UInt16? = nil)
    /// The room for the apps' files and stores, recorded only if it is limited.
    case diskStands(capacity: ByteCount, used: ByteCount, device: UInt16? = nil)
    /// A disk fault begins or ends; a run begins without faults.
    case disk(DiskStep, device: UInt16? = nil)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case stands, appLaunched, appKilled, appCrashed, appEntered, taskBegan, taskExpires
        case taskEnded, wakeRefused, appDataCleared, bitsFlipped, appUpdated, memoryPressure, power
        case lowPower, call, charger, wallClockJumped, diskStands, disk, fetchBegan, fetchEnded
        case modeBegan, modeEnded
    }
    private enum FetchEndedCodingKeys: String, CodingKey { case launch, _1 = "result" }
    private enum ModeBeganCodingKeys: String, CodingKey { case launch, _1 = "mode" }
    private enum ModeEndedCodingKeys: String, CodingKey { case launch, _1 = "mode" }
    private enum PowerCodingKeys: String, CodingKey { case _0 = "step", device }
    private enum DiskCodingKeys: String, CodingKey { case _0 = "step", device }

    /// Whether the fact concerns a single app, not the whole phone.
    package var concernsOneApp: Bool {
        switch self {
        case .stands, .memoryPressure, .power, .lowPower, .call, .charger, .wallClockJumped,
            .diskStands, .disk:
            false
        case .appLaunched, .appKilled, .appCrashed, .appEntered, .taskBegan, .taskExpires,
            .taskEnded, .fetchBegan, .fetchEnded, .modeBegan, .modeEnded, .wakeRefused,
            .appDataCleared, .appUpdated, .bitsFlipped:
            true
        }
    }

    /// Returns the fact with other numbers of the launch and the phone.
    package func numbered(launch: UInt32, device: UInt16?) -> DeviceFact {
        switch self {
        case .stands(let os, let wall, _, let apps):
            .stands(os: os, wallNanoseconds: wall, device: device, apps: apps)
        case .appLaunched(_, let launcher): .appLaunched(launch: launch, by: launcher)
        case .appKilled(_, let why): .appKilled(launch: launch, why: why)
        case .appCrashed(_, let how): .appCrashed(launch: launch, how: how)
        case .appEntered(_, let stage, let because):
            .appEntered(launch: launch, stage: stage, because: because)
        case .taskBegan(_, let task, let deadline):
            .taskBegan(launch: launch, task: task, deadline: deadline)
        case .taskExpires(_, let task, let deadline):
            .taskExpires(launch: launch, task: task, deadline: deadline)
        case .taskEnded(_, let task): .taskEnded(launch: launch, task: task)
        case .fetchBegan(_, let deadline): .fetchBegan(launch: launch, deadline: deadline)
        case .fetchEnded(_, let result): .fetchEnded(launch: launch, result)
        case .modeBegan(_, let mode): .modeBegan(launch: launch, mode)
        case .modeEnded(_, let mode): .modeEnded(launch: launch, mode)
        case .wakeRefused, .appDataCleared, .bitsFlipped, .appUpdated: self
        case .memoryPressure: .memoryPressure(device: device)
        case .power(let step, _): .power(step, device: device)
        case .lowPower(let on, _): .lowPower(on: on, device: device)
        case .call(let on, _): .call(on: on, device: device)
        case .charger(let connected, _): .charger(connected: connected, device: device)
        case .wallClockJumped(let by, let wall, let because, _):
            .wallClockJumped(
                by: by, wallNanoseconds: wall, because: because, device: device)
        case .diskStands(let capacity, let used, _):
            .diskStands(capacity: capacity, used: used, device: device)
        case .disk(let step, _): .disk(step, device: device)
        }
    }

    func sentence(_ names: RunNames) -> String {
        switch self {
        case .stands(let os, let wall, let device, _):
            "\(names.thePhone(device)) runs \(os); its clock shows "
                + "\(wall / 1_000_000_000) s since 1970"
        case .appLaunched(let launch, let launcher):
            (launch == 1 ? "the app is launched" : "launch \(launch) of the app")
                + (launcher.map { " by \($0.words)" } ?? "")
        case .appKilled(_, let why): "the app is killed" + (why.map { ": \($0.words)" } ?? "")
        case .appCrashed(_, let how): "the app's process ended by itself: \(how)"
        case .appEntered(_, let stage, let because): "the app is \(stage.words): \(because)"
        case .taskBegan(_, let task, let deadline):
            "background task \(task) begins" + (deadline.map { ", to end before \($0)" } ?? "")
        case .taskExpires(_, let task, let deadline):
            "background task \(task) expires; it must end before \(deadline)"
        case .taskEnded(_, let task): "background task \(task) ends"
        case .fetchBegan(_, let deadline):
            "the app may fetch in the background; it must say what came of it before \(deadline)"
        case .fetchEnded(_, let result): "the app's fetch has brought \(result.words)"
        case .modeBegan(_, let mode): "the app \(mode.words(begins: true))"
        case .modeEnded(_, let mode): "the app \(mode.words(begins: false))"
        case .wakeRefused(let why): "the system does not wake the app: \(why.words)"
        case .appDataCleared: "all data of the app is cleared"
        case .bitsFlipped(let count): "\(count) bits flip in the app's store, on the disk"
        case .appUpdated(let container): "the app is updated; its container is \(container) now"
        case .memoryPressure(let device): "\(names.thePhone(device)) is short of memory"
        case .power(let step, let device): "\(names.thePhone(device)) \(step.words)"
        case .lowPower(let on, let device):
            "low-power mode of \(names.thePhone(device)) is \(on ? "on" : "off")"
        case .call(let on, let device):
            "\(names.thePhone(device)) is in \(on ? "a call" : "no call any more")"
        case .charger(let connected, let device):
            "\(names.thePhone(device)) is \(connected ? "on" : "off") its charger"
        case .wallClockJumped(let by, _, let because, let device):
            "the wall clock of \(names.thePhone(device)) jumps \(Self.jump(by)): \(because)"
        case .diskStands(let capacity, let used, let device):
            "the disk of \(names.thePhone(device)) has \(capacity) for its apps; "
                + "\(used) are taken"
        case .disk(let step, let device):
            "the disk of \(names.thePhone(device)) \(step.words)"
        }
    }

    private static func jump(_ by: TimeSpan) -> String {
        by < .zero ? "back by \(TimeSpan.zero - by)" : "ahead by \(by)"
    }
}

/// Who started an app's process, other than a user.
package enum AppLauncher: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the background, for waiting events.
    case system

    var words: String { "the system" }
}

/// Why the system does not run an app in the background.
package enum WakeRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    case lowPower
    /// The user has force-quit the app and not opened it since (B6).
    case forceQuit

    var words: String {
        switch self {
        case .lowPower: "low-power mode is on"
        case .forceQuit: "the user force-quit it"
        }
    }
}

/// Why a process is gone.
package enum ProcessEnd: String, Hashable, Sendable, Codable, CaseIterable {
    case crash, forceQuit, memory, taskOverdue, taskBegunAtExpiry, reboot, powerLoss, dataCleared
    case update, fetchOverdue

    var words: String {
        switch self {
        case .crash: "it crashed"
        case .forceQuit: "the user threw it out"
        case .memory: "memory was short"
        case .taskOverdue: "a background task was not ended by its deadline"
        case .taskBegunAtExpiry: "a background task was begun when time was up"
        case .reboot: "the phone is restarted"
        case .powerLoss: "the phone lost its power"
        case .dataCleared: "its data is cleared"
        case .update: "it is updated"
        case .fetchOverdue: "it did not say in time what came of its background fetch"
        }
    }
}

/// What an app's fetch in the background has brought.
public enum FetchResult: String, Hashable, Sendable, Codable, CaseIterable {
    case newData, noData, failed

    var words: String {
        switch self {
        case .newData: "new data"
        case .noData: "no data"
        case .failed: "nothing, as it has failed"
        }
    }
}

/// What holds an app awake for as long as the app wants, beside tasks of limited time.
package enum BackgroundMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app follows where the phone is.
    case location
    /// A call over the network, in the app itself.
    case call

    /// What an app does meanwhile.
    package var state: String {
        switch self {
        case .location: "tracks its location"
        case .call: "is in a call of its own"
        }
    }

    package func words(begins: Bool) -> String {
        switch self {
        case .location: begins ? "tracks its location" : "tracks its location no more"
        case .call: begins ? "begins a call of its own" : "ends its call"
        }
    }
}

/// The stages of a running app's life.
package enum AppStage: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the foreground, but covered.
    case inactive
    case active, background
    /// The process does not run.
    case suspended

    package var words: String {
        switch self {
        case .inactive: "inactive"
        case .active: "active"
        case .background: "in the background"
        case .suspended: "suspended"
        }
    }
}

/// A change of a phone's power.
package enum PowerStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// At once: unsynced data may be lost.
    case lost
    /// In good order; the phone starts again by itself.
    case restarting
    case back
    case up

    var words: String {
        switch self {
        case .lost: "loses its power"
        case .restarting: "restarts"
        case .back: "has power again, and starts"
        case .up: "has started"
        }
    }
}

/// The beginning or end of a disk fault.
package enum DiskStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// Files cannot grow, but can be overwritten.
    case full
    case hasSpace
    case writesFail, writesWork
    case readsFail, readsWork

    var words: String {
        switch self {
        case .full: "is full"
        case .hasSpace: "has space again"
        case .writesFail: "takes no write any more"
        case .writesWork: "takes writes again"
        case .readsFail: "cannot be read any more"
        case .readsWork: "can be read again"
        }
    }
}
