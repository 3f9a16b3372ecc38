package import Facts
package import Quantities

/// An event in the life of a phone. Apps are counted from 0 in the order of the plan.
package enum DeviceEvent: Hashable, Sendable {
    /// The user opens an app or brings it to the foreground.
    case appOpened(Int)
    /// The system runs an app in the background.
    case appWoken(Int)
    /// The system lets an app fetch in the background, unless it is in front.
    case fetch(Int)
    /// A mode begins or ends to hold an app that runs.
    case mode(Int, BackgroundMode, isOn: Bool)
    /// The user goes to the home screen, or to an app that is not in the plan.
    case home
    case locked, unlocked
    case callComes, callEnds
    /// The user force-quits an app.
    case forceQuit(Int)
    case crash(Int)
    /// The process is killed without a reason.
    case kill(Int)
    case memoryPressure
    case dataCleared(Int)
    /// The app is updated, and its container moves.
    case updated(Int)
    case reboot, powerLost, powerBack
    case lowPower(Bool)
    /// A charger is connected or removed; discretionary tasks wait for a charger.
    case charger(isConnected: Bool)
    case clockJumps(TimeSpan, WallClock.Cause)
    case disk(DiskCondition.Change)
    /// Bits of the app's store flip.
    case bitsFlip(Int, count: UInt32)
    /// Bits of the transfer daemon's store flip.
    case daemonBitsFlip(count: UInt32)

    /// Whether somebody uses the phone in this event, so that its doze ends.
    package var isByHand: Bool {
        switch self {
        case .appOpened, .home, .unlocked, .forceQuit: true
        case .appWoken, .fetch, .mode, .locked, .callComes, .callEnds, .crash, .kill,
            .memoryPressure, .dataCleared, .updated, .reboot, .powerLost, .powerBack, .lowPower,
            .charger, .clockJumps, .disk, .bitsFlip, .daemonBitsFlip:
            false
        }
    }

    /// The app concerned, if there is one.
    package var app: Int? {
        switch self {
        case .appOpened(let app), .appWoken(let app), .fetch(let app), .forceQuit(let app),
            .crash(let app), .kill(let app), .dataCleared(let app), .updated(let app),
            .bitsFlip(let app, _), .mode(let app, _, _):
            app
        case .home, .locked, .unlocked, .callComes, .callEnds, .memoryPressure, .reboot,
            .powerLost, .powerBack, .lowPower, .charger, .clockJumps, .disk, .daemonBitsFlip:
            nil
        }
    }
}

/// The inputs of a device.
package enum DeviceInput: Hashable, Sendable {
    case happens(DeviceEvent)
    /// An app's process begins a background task with a number of its own.
    case beginTask(Int, UInt32)
    case endTask(Int, UInt32)
    /// An app's process calls the handler of its fetch.
    case endFetch(Int, FetchResult)
    /// A deadline that the device asked for has come.
    case wake
}

/// The outputs of a device, to be carried out in order.
package enum DeviceOutput: Hashable, Sendable {
    /// Starts a new process of the app; `inBackground` if the system starts it.
    case launch(Int, inBackground: Bool)
    /// The app enters this state. A suspended app is told nothing and does nothing until it enters
    /// another state.
    case enter(Int, AppState, because: String)
    /// The expiry handlers of these tasks run.
    case expire(Int, [UInt32], deadline: Instant)
    case end(Int, ProcessEnd?)
    /// The app is told to fetch.
    case fetch(Int)
    case clearData(Int)
    case moveContainer(Int, version: Int)
    /// Flips random bits of the app's store.
    case flipBits(Int, count: UInt32)
    case flipDaemonBits(count: UInt32)
    case power(PowerStep)
    /// The disk's new condition, and the change that led to it.
    case disk(DiskCondition, DiskCondition.Change)
    /// A fact for the log, of one app or of the whole phone; nothing to carry out. The numbers of
    /// the launch and of the phone are left to the recorder.
    case note(DeviceFact, of: Int? = nil)
}
