package import Quantities

/// The phones and the life of the apps on them. Launches are counted through the whole run, from 1.
///
/// What concerns a phone and not one app of it says which phone, unless it is the first.
package enum DeviceFact: Hashable, Sendable, Codable {
    /// What the phone is, and what its wall clock shows, in nanoseconds since 1970; said only where
    /// the plan says what it is.
    case stands(os: String, wallNanoseconds: UInt64, device: UInt16? = nil)
    /// The app's process began; where nobody is named, a user tapped it.
    case appLaunched(launch: UInt32, by: AppLauncher? = nil)
    /// The app's process is gone, without a word of warning to it; where no reason is said, it was
    /// killed and nothing more.
    case appKilled(launch: UInt32, why: ProcessEnd? = nil)
    /// The app's process ended although nothing killed it; only a live one can.
    case appCrashed(launch: UInt32, how: String)
    /// The app is in this stage of its life from now on, and heard of it, unless it is suspended:
    /// that is not told.
    case appEntered(launch: UInt32, stage: AppStage, because: String)
    /// The app asked for time in the background; `deadline` is when its task will be up, if that
    /// is known: time is not counted while the app is in front.
    case taskBegan(launch: UInt32, task: UInt32, deadline: Instant?)
    /// The expiry handler runs: the task has to be ended before the deadline.
    case taskExpires(launch: UInt32, task: UInt32, deadline: Instant)
    /// The app gives the time back that it asked for.
    case taskEnded(launch: UInt32, task: UInt32)
    /// All that the app kept is gone, its store and its files; it begins as on the first day.
    case appDataCleared
    /// So many bits of the app's store are not what they were, and nobody wrote them.
    case bitsFlipped(count: UInt32)
    /// The app was replaced by a newer version; its container has another path now.
    case appUpdated(container: String)
    case memoryPressure(device: UInt16? = nil)
    case power(PowerStep, device: UInt16? = nil)
    case lowPower(on: Bool, device: UInt16? = nil)
    /// At the beginning there is none.
    case charger(connected: Bool, device: UInt16? = nil)
    /// The wall clock shows something else from one moment to the next; the monotonic one goes on.
    case wallClockJumped(
        by: TimeSpan, wallNanoseconds: UInt64, because: String, device: UInt16? = nil)
    /// What the apps of the phone have for their files and stores, and what is taken of it; said
    /// only where there is a limit.
    case diskStands(capacity: ByteCount, used: ByteCount, device: UInt16? = nil)
    /// At the beginning nothing is wrong with a disk.
    case disk(DiskStep, device: UInt16? = nil)

    // The names that values without a label have in `events.jsonl`.
    private enum PowerCodingKeys: String, CodingKey { case _0 = "step", device }
    private enum DiskCodingKeys: String, CodingKey { case _0 = "step", device }

    func sentence(_ names: RunNames) -> String {
        switch self {
        case .stands(let os, let wall, let device):
            "\(Self.phone(device, names)) runs \(os); its clock shows "
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
        case .appDataCleared: "all data of the app is cleared"
        case .bitsFlipped(let count): "\(count) bits flip in the app's store, on the disk"
        case .appUpdated(let container): "the app is updated; its container is \(container) now"
        case .memoryPressure(let device): "\(Self.phone(device, names)) is short of memory"
        case .power(let step, let device): "\(Self.phone(device, names)) \(step.words)"
        case .lowPower(let on, let device):
            "low-power mode of \(Self.phone(device, names)) is \(on ? "on" : "off")"
        case .charger(let connected, let device):
            "\(Self.phone(device, names)) is \(connected ? "on" : "off") its charger"
        case .wallClockJumped(let by, _, let because, let device):
            "the wall clock of \(Self.phone(device, names)) jumps \(Self.jump(by)): \(because)"
        case .diskStands(let capacity, let used, let device):
            "the disk of \(Self.phone(device, names)) has \(capacity) for its apps; "
                + "\(used) are taken"
        case .disk(let step, let device):
            "the disk of \(Self.phone(device, names)) \(step.words)"
        }
    }

    private static func phone(_ device: UInt16?, _ names: RunNames) -> String {
        names.phone(device) ?? "the phone"
    }

    private static func jump(_ by: TimeSpan) -> String {
        by < .zero ? "back by \(TimeSpan.zero - by)" : "ahead by \(by)"
    }
}

/// Who started an app's process, where it was not a user.
package enum AppLauncher: String, Hashable, Sendable, Codable {
    /// In the background, for something that waits for it there.
    case system

    var words: String {
        switch self {
        case .system: "the system"
        }
    }
}

/// Why a process is gone.
package enum ProcessEnd: String, Hashable, Sendable, Codable {
    case crash, forceQuit, memory, taskOverdue, taskBegunAtExpiry, reboot, powerLoss, dataCleared
    case update

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
        }
    }
}

/// The stages of a running app's life.
package enum AppStage: String, Hashable, Sendable, Codable, CaseIterable {
    /// In front, but something lies over it.
    case inactive
    case active, background
    /// Its process stands still.
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

/// What becomes of a phone's power.
package enum PowerStep: String, Hashable, Sendable, Codable {
    /// From one moment to the next: what was not synced is at the mercy of chance.
    case lost
    /// In good order, and by itself up again.
    case restarting
    /// The system starts.
    case back
    /// It can be used.
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

/// What becomes of a phone's disk.
package enum DiskStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing can grow; what is there can be written over.
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
