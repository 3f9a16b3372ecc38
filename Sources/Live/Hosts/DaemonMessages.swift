import TransferEngine
import TransferHost

/// What the parent tells the transfer daemon's process.
enum DaemonMessage: Hashable, Sendable, ParentMessage {
    case asked(by: UInt16, DaemonRequest)
    /// What the daemon tells the app from then on is for this launch of the app.
    case app(UInt16, DaemonClientStage, launch: UInt32)
    /// The app's data was cleared, and its tasks are counted on.
    case renumber(UInt16, tasksBefore: UInt64)
    case network(NetworkOrder)
    case charger(isConnected: Bool)
}

/// What the daemon's process tells its parent.
enum DaemonWord: Hashable, Sendable, ProcessWord {
    case connected(UInt32, from: SocketAddress)
    case abandoned(UInt32, from: SocketAddress)
    /// News for an app, if it still runs as this launch.
    case tells(UInt16, launch: UInt32, DaemonNews)
    /// The app is to run in the background.
    case wakes(UInt16)
    /// The daemon has heard this many messages, and is idle until the next one.
    case rests(after: UInt64)
}
