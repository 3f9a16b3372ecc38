/// Everything that can happen to the transfer daemon.
public enum DaemonInput: Hashable, Sendable, Codable {
    /// The first input of a start: the stored tasks in order, the delays, and how often the data of
    /// each app has been cleared, by the app's place on the phone.
    case restored([TaskRecord], delays: [BackgroundDelay] = [], clearings: [UInt32] = [])
    /// The second input, if the store was once found damaged.
    case storeWasSetAside(TaskStoreSetAside)
    case asked(by: UInt16, DaemonRequest)
    case app(UInt16, DaemonClientStage)
    case persisted(PersistTicket)
    case persistFailed(PersistTicket)
    /// An event of an attempt: of its connection, or of a file.
    case attempt(AttemptInput)
    case network(NetworkStatus)
    case charger(isConnected: Bool)
    case wake
}

/// A stage of an app's life that concerns the daemon.
public enum DaemonClientStage: Hashable, Sendable, Codable {
    case inFront, behind
    case suspended
    case dead
    /// The user force-quit the app. It is not relaunched by the system, and its tasks are cancelled
    /// (B6).
    case thrownOut
    /// The app's data was cleared, and so is everything that the system keeps for it.
    case cleared
}

/// Everything that the daemon wants done, in this order.
public enum DaemonOutput: Hashable, Sendable, Encodable {
    indirect case persist(PersistTicket, TaskChange)
    /// Make the file of a download durable, before anything that comes after this.
    case sync(path: String)
    /// Delete the file of a download.
    case discard(path: String)
    /// What an attempt wants from the network and the file system.
    case attempt(AttemptOutput)
    case tell(app: UInt16, DaemonNews)
    /// Run the app in the background: events wait for it (B7).
    case wakeApp(UInt16)
    /// Nothing to carry out: the app runs in the background, as events waited for it.
    case hasWoken(UInt16)
    /// Nothing to carry out: a decision for the log.
    case note(Note)
}

/// A change of the daemon's store.
public enum TaskChange: Hashable, Sendable, Encodable {
    case put(TaskRecord)
    /// The task's app was told of its end, or is gone.
    case remove(TaskID)
    case delay(BackgroundDelay)
    /// The app has heard that the store was damaged.
    case told(UInt16)
}
