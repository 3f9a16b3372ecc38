/// All that can happen to the transfer daemon.
public enum DaemonInput: Hashable, Sendable, Codable {
    /// The first input of a start: what its store kept, in the order of its tasks, and how often
    /// the data of each app was cleared before, by its place on the phone.
    case restored([TaskRecord], delays: [BackgroundDelay] = [], clearings: [UInt32] = [])
    /// The second, where the store was found damaged once.
    case storeWasSetAside(TaskStoreSetAside)
    case asked(by: UInt16, DaemonRequest)
    case app(UInt16, DaemonClientStage)
    case persisted(PersistTicket)
    case persistFailed(PersistTicket)
    /// What happens to an attempt: to its connection, or to a file.
    case attempt(AttemptInput)
    case network(NetworkStatus)
    case charger(isConnected: Bool)
    case wake
}

/// What becomes of an app, as far as the daemon cares.
public enum DaemonClientStage: Hashable, Sendable, Codable {
    case inFront, behind
    case suspended
    case dead
    /// By the user: it is not started again by itself, and its tasks are cancelled (B6).
    case thrownOut
    /// All that it kept is gone, and so is what others kept for it.
    case cleared
}

/// All that the daemon wants done, in this order.
public enum DaemonOutput: Hashable, Sendable, Encodable {
    case persist(PersistTicket, TaskChange)
    /// What a download has brought is wanted no more.
    case discard(path: String)
    /// What an attempt wants of the network and of files.
    case attempt(AttemptOutput)
    case tell(app: UInt16, DaemonNews)
    /// Let the app run in the background: something waits for it (B7).
    case wakeApp(UInt16)
    /// Nothing to carry out: this app runs in the background, as something waited for it there.
    case hasWoken(UInt16)
    /// Nothing to carry out: a decision that the log should know.
    case note(Note)
}

/// What the daemon's store is to keep from now on, or to forget.
public enum TaskChange: Hashable, Sendable, Encodable {
    case put(TaskRecord)
    /// Its app was told, or is gone.
    case remove(TaskID)
    case delay(BackgroundDelay)
    /// The app has heard that the store was set aside.
    case told(UInt16)
}
