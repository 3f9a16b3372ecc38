@_exported public import Facts

/// All that the engine wants done. The world carries it out in this order.
public enum EngineOutput: Hashable, Sendable, Encodable {
    case persist(PersistTicket, StoreChange)
    /// What an attempt wants of the network and of files.
    case attempt(AttemptOutput)
    /// What the app is told.
    case tell(News)
    /// It takes a moment, and is lost only if the phone loses its power.
    case askDaemon(DaemonRequest)
    /// Ask the OS for time in the background, and give it back (A11).
    case beginBackgroundTask(BackgroundTaskID)
    case endBackgroundTask(BackgroundTaskID)
    /// Nothing to carry out: a decision that the log should know.
    case note(Note)
}

/// What an app is told, by the face that tells it.
public enum News: Hashable, Sendable, Encodable {
    /// What the queue holds at a launch, in its order.
    case queueHolds([SessionID])
    /// News of accounts, and of sessions that are saved by hand.
    case saved(SavedNews)
    case session(SessionID, SessionCallback)
    case operation(OperationID, OperationNews)
    /// The resumable transfers that a launch has found.
    case entriesHeld([EntryRecord])
    case entry(EntryID, EntryNews)
    case background(BackgroundCallback)
    /// Told as soon as the app listens; the app answers with the command `.heardOfSetAside`.
    case storeWasSetAside(StoreSetAside)
    case refused(Refusal)
}

/// What is not done, and why; nothing has changed.
public enum Refusal: Hashable, Sendable, Encodable {
    case queue(QueueRefusal)
    case operation(OperationRefusal)
    case entry(EntryRefusal)
    case task(TaskRefusal)
}

/// What a store is to keep from now on, or to forget: once its ticket has been answered, it
/// survives whatever comes.
public enum StoreChange: Hashable, Sendable, Encodable {
    case put(SessionRecord)
    case remove(SessionID)
    case putAccount(AccountRecord)
    case removeAccount(AccountID)
    case putEntry(EntryRecord)
    case removeEntry(EntryID)
    /// The app has heard of it.
    case forgetSetAside
}
