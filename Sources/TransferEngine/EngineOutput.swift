@_exported public import Facts

/// Everything that the engine wants done. The world carries it out in this order.
public enum EngineOutput: Hashable, Sendable, Encodable {
    indirect case persist(PersistTicket, StoreChange)
    /// What an attempt wants from the network and the file system.
    case attempt(AttemptOutput)
    /// A message to the app.
    case tell(News)
    /// A request to the daemon. It takes a moment, and is lost only if the phone loses power.
    case askDaemon(DaemonRequest)
    /// Request time in the background from the OS, and return it (A11).
    case beginBackgroundTask(BackgroundTaskID)
    case endBackgroundTask(BackgroundTaskID)
    /// Nothing to carry out: a decision for the log.
    case note(Note)
}

/// A message to the app, by the interface that it uses.
public enum News: Hashable, Sendable, Encodable {
    /// The sessions of the queue at a launch, in order.
    case queueHolds([SessionStanding])
    /// A session of the queue has changed. The app hears of that before the callbacks about it.
    indirect case sessionStands(SessionStanding)
    /// What came of a request to the queue.
    case answered(RequestID, QueueAnswer)
    /// The queue has started, or stands after its active session has ended (A8).
    case queueMode(QueueMode)
    /// A change of an account or of a saved session.
    indirect case saved(SavedNews)
    case session(SessionID, SessionCallback)
    case operation(OperationID, OperationNews)
    /// The resumable transfers that a launch has found.
    case entriesHeld([EntryRecord])
    case entry(EntryID, EntryNews)
    case background(BackgroundCallback)
    /// Told as soon as the app listens; the app answers with the command `.heardOfSetAside`.
    indirect case storeWasSetAside(StoreSetAside)
    indirect case refused(Refusal)
}

/// The modes of the queue that an app can see (A22). A queue that is about to stop still runs.
public enum QueueMode: String, Hashable, Sendable, Codable {
    case running, stopped
}

/// The refusal of a command. Nothing has changed.
public enum Refusal: Hashable, Sendable, Encodable {
    case queue(QueueRefusal)
    case operation(OperationRefusal)
    case entry(EntryRefusal)
    case task(TaskRefusal)
}

/// A change of the store. Once its ticket is answered, the change is durable.
public enum StoreChange: Hashable, Sendable, Encodable {
    case put(SessionRecord)
    case remove(SessionID)
    case putAccount(AccountRecord)
    case removeAccount(AccountID)
    case putEntry(EntryRecord)
    case removeEntry(EntryID)
    /// The app has heard of the damaged store.
    case forgetSetAside
}
