package import Quantities

/// What happens to a phone. Apps are counted from 0 in the order of the plan.
package enum DeviceEvent: Hashable, Sendable {
    /// The user opens an app, or fetches it to the front.
    case appOpened(Int)
    /// The system needs an app for something in the background.
    case appWoken(Int)
    /// The user goes home; another app than the plan's may be opened.
    case home
    case locked, unlocked
    case callComes, callEnds
    /// The user throws an app out of the list of those that run.
    case forceQuit(Int)
    case crash(Int)
    /// The process is gone, and nobody says why.
    case kill(Int)
    case memoryPressure
    case dataCleared(Int)
    /// Another version takes the app's place; its container moves.
    case updated(Int)
    case reboot, powerLost, powerBack
    case lowPower(Bool)
    /// What is discretionary waits for one.
    case charger(isConnected: Bool)
    case clockJumps(TimeSpan, WallClock.Cause)
    case disk(DiskCondition.Change)
    /// So many bits of the app's store are other than they were written.
    case bitsFlip(Int, count: UInt32)
    /// The same of the transfer daemon's store.
    case daemonBitsFlip(count: UInt32)

    /// Whether somebody has the phone in the hand: it dozes no more then.
    package var isByHand: Bool {
        switch self {
        case .appOpened, .home, .unlocked, .forceQuit: true
        case .appWoken, .locked, .callComes, .callEnds, .crash, .kill, .memoryPressure,
            .dataCleared, .updated, .reboot, .powerLost, .powerBack, .lowPower, .charger,
            .clockJumps, .disk, .bitsFlip, .daemonBitsFlip:
            false
        }
    }

    /// The app to which it happens, where it is one.
    package var app: Int? {
        switch self {
        case .appOpened(let app), .appWoken(let app), .forceQuit(let app), .crash(let app),
            .kill(let app), .dataCleared(let app), .updated(let app), .bitsFlip(let app, _):
            app
        case .home, .locked, .unlocked, .callComes, .callEnds, .memoryPressure, .reboot,
            .powerLost, .powerBack, .lowPower, .charger, .clockJumps, .disk, .daemonBitsFlip:
            nil
        }
    }
}

/// All that a device is told.
package enum DeviceInput: Hashable, Sendable {
    case happens(DeviceEvent)
    /// The process of an app asks for time in the background, under a number of its own.
    case beginTask(Int, UInt32)
    case endTask(Int, UInt32)
    /// A deadline that the device asked for has come.
    case wake
}

/// All that a device wants done, in this order.
package enum DeviceOutput: Hashable, Sendable {
    /// A new process of the app begins; `inBackground` where the system started it.
    case launch(Int, inBackground: Bool)
    /// The app is in this state from now on. A suspended one is told nothing and does nothing until
    /// it is in another state.
    case enter(Int, AppState, because: String)
    /// The expiry handlers of these tasks run.
    case expire(Int, [UInt32], deadline: Instant)
    case end(Int, ProcessDeath?)
    case clearData(Int)
    case moveContainer(Int, version: Int)
    /// So many bits of what it has stored, at random.
    case flipBits(Int, count: UInt32)
    case flipDaemonBits(count: UInt32)
    case power(PowerChange)
    /// The disk is like this from now on, by this change.
    case disk(DiskCondition, DiskCondition.Change)
    /// Nothing to carry out: what the log should know.
    case note(DeviceNote)
}

package enum DeviceNote: Hashable, Sendable {
    case taskBegan(Int, UInt32, deadline: Instant?)
    case taskEnded(Int, UInt32)
    case memoryPressure
    case lowPower(Bool)
    case charger(isConnected: Bool)
    case wallClockJumped(TimeSpan, shows: UInt64, WallClock.Cause)
}

/// Why a process is gone.
package enum ProcessDeath: Hashable, Sendable, CaseIterable {
    case crash, forceQuit, memory, taskOverdue, taskBegunAtExpiry, reboot, powerLoss, dataCleared
    case update
}

package enum PowerChange: Hashable, Sendable {
    /// From one moment to the next; processes are gone already.
    case lost
    case restarting
    case back
    /// The system has started.
    case up
}
