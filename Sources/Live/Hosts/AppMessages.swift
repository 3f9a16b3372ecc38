import RunPlan
import TransferEngine
import TransferHost

/// What the phone tells an app's process.
enum PhoneMessage: Hashable, Sendable, ParentMessage {
    case enteredBackground, enteredForeground
    case backgroundTimeExpires(UInt32)
    /// The app may fetch.
    case fetch
    case network(NetworkOrder)
    /// The user makes the app do something, in the app's own numbers.
    case asks(AppPlan.Command)
    /// The transfer daemon tells the app something.
    case daemon(DaemonNews)
}

/// What an app's process asks of its phone, or tells its parent of its sockets.
enum AppRequest: Hashable, Sendable, ProcessWord {
    case beginTask(UInt32)
    case endTask(UInt32)
    case endFetch(FetchResult)
    case connected(UInt32, from: SocketAddress)
    case abandoned(UInt32, from: SocketAddress)
    /// The store was set aside: numbers above these are new from now on.
    case countsOn(sessionsKept: UInt32, transfersKept: UInt32)
    /// The app asks the transfer daemon for something.
    case daemon(DaemonRequest)
    /// The app has acted on this many messages of its phone.
    case hasHeard(UInt64)
}
