/// Why the queue refuses a command. Nothing changes, and the app learns what to do.
public enum QueueRefusal: Error, Hashable, Sendable, Codable {
    case accountWithoutHost
    case accountWithoutCredentials
    /// The folder of an account.
    case folderOutsideDocroot(String)
    case noSuchAccount(AccountID)
    /// The number of sessions that refer to the account, and the first one.
    case accountInUse(AccountID, by: SessionID, of: Int)
    case accountNotStored(String)
    case noFiles
    /// A persistent session has no files of its own (P1).
    case filesOfPersistent
    case sourceOutsideContainer(String)
    case destinationOutsideDocroot(String)
    /// The source of a download.
    case sourceOutsideDocroot(String)
    case destinationOutsideContainer(String)
    case notStored(String)
    case noSuchIndex(Int, count: Int)
    case noSuchSession(SessionID)
    /// The session is saved only, or its entry is not yet durable.
    case notEnqueued(SessionID)
    /// The session is in the queue already.
    case alreadyEnqueued(SessionID)
    /// There is no such place for a session.
    case noSuchPlace(Int, count: Int)
    case notInThisState(SessionWish, SessionID, SessionState)
    case rates(RateRefusal)
    /// The settings of an active session cannot change.
    case settingsInUse(SessionID, SessionState)
    /// A path cannot be added to a persistent session.
    case path(PathRefusal)
    case notInitialised
    /// The host has ended, and carries out nothing more.
    case hostHasEnded

    /// Whether the refusal concerns what the queue has, not a new session.
    public var isOfCommand: Bool {
        switch self {
        case .noSuchIndex, .noSuchPlace, .notInThisState, .path, .settingsInUse, .noSuchSession,
            .notEnqueued, .alreadyEnqueued, .folderOutsideDocroot, .accountInUse, .accountNotStored:
            true
        case .rates, .noSuchAccount, .accountWithoutHost, .accountWithoutCredentials, .noFiles,
            .filesOfPersistent,
            .sourceOutsideContainer, .destinationOutsideDocroot, .sourceOutsideDocroot,
            .destinationOutsideContainer, .notStored, .notInitialised, .hostHasEnded:
            false
        }
    }

    public var message: String {
        switch self {
        case .accountWithoutHost: "the account has no host: set Account.host before enqueuing"
        case .accountWithoutCredentials:
            "the account has no credentials: set Account.credentials before enqueuing"
        case .folderOutsideDocroot(let folder):
            "the account's folder “\(folder)” leaves the docroot (error 41); use a path relative "
                + "to it"
        case .noSuchAccount(let account):
            "there is no account \(account.number): save one, or take one of those that are listed"
        case .accountInUse(let account, let session, let count):
            "account \(account.number) is that of session \(session.number)"
                + (count > 1 ? " and of \(count - 1) more" : "")
                + ": remove " + (count > 1 ? "them" : "it") + " before it is deleted"
        case .accountNotStored(let reason):
            "the account is as it was, as its change could not be stored: \(reason); change it "
                + "again when that is mended"
        case .noSuchSession(let session):
            "there is no session \(session.number): take one that is saved or in the queue"
        case .notEnqueued(let session):
            "session \(session.number) is not in the queue: enqueue it, and wait until its row is "
                + "inserted"
        case .alreadyEnqueued(let session):
            "session \(session.number) is in the queue already: run it there"
        case .noFiles: "the session has no file: add at least one path before enqueuing"
        case .filesOfPersistent:
            "a persistent session is enqueued without paths: add them once it can accept them"
        case .path(let refusal): refusal.message
        case .rates(let refusal): refusal.message
        case .settingsInUse(let session, let state):
            "session \(session.number) is \(state.words), and the settings of one that is active "
                + "stay as they are: cancel or stop it first"
        case .sourceOutsideContainer(let path):
            "the source “\(path)” is not a path inside the app's container"
        case .destinationOutsideDocroot(let path):
            "the destination “\(path)” leaves the docroot (error 41); use a path relative to it"
        case .sourceOutsideDocroot(let path):
            "the source “\(path)” leaves the docroot (error 41); use a path relative to it"
        case .destinationOutsideContainer(let path):
            "the destination “\(path)” is not a path inside the app's container"
        case .noSuchIndex(let index, let count):
            "the queue has no session at index \(index): "
                + (count == 0 ? "it is empty" : "its indices are 0 to \(count - 1)")
        case .noSuchPlace(let index, let count):
            "no session can be put at index \(index): the queue has \(count), and its places are 0 "
                + "to \(count)"
        case .notInThisState(let verb, let session, let state): verb.remedy(session, state)
        case .notInitialised:
            "the engine is not initialised: wait until the queue is ready before using it"
        case .hostHasEnded:
            "the host of the queue has ended: make another for the same folder, and ask its queue"
        case .notStored(let reason):
            "the session could not be stored: \(reason); enqueue it again when that is mended"
        }
    }
}

extension SessionWish {
    fileprivate func remedy(_ session: SessionID, _ state: SessionState) -> String {
        let subject = "session \(session.number) is \(state.words)"
        return switch self {
        case .pause: "\(subject), and only one that is active can be paused: run it first"
        case .resume: "\(subject), and only one that is paused can be resumed: use run instead"
        case .remove: "\(subject), and one that is active cannot be removed: cancel it first"
        case .run, .cancel, .stop: preconditionFailure("\(self) is taken in every state")
        }
    }
}

extension SessionState {
    fileprivate var words: String {
        switch self {
        case .waiting, .running, .retrying, .paused, .preempted, .cancelled, .failed, .completed:
            rawValue
        case .preemptedPaused: "preempted while it was paused"
        }
    }
}
