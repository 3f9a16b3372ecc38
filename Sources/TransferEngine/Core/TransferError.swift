/// An error with its published number and name (behaviour A16).
package enum TransferError: Int, Error, Hashable, Sendable, Codable, CaseIterable {
    case protocolViolation = 1
    case noSuchFile = 4
    case noPermission = 5
    case connectionFailed = 12
    case connectionTimeout = 13
    case connectionLost = 16
    case notARegularFile = 21
    case noSpace = 25
    case diskRead = 35
    case diskWrite = 36
    case authorisation = 37
    case peerEndedSession = 39
    case stalled = 40
    case outsideDocroot = 41
    case alreadyExists = 42
    case cannotStat = 43

    package var code: Int { rawValue }

    package var message: String {
        switch self {
        case .protocolViolation: "protocol error"
        case .noSuchFile: "no such file"
        case .noPermission: "no permission"
        case .connectionFailed: "control connection failed"
        case .connectionTimeout: "control timeout"
        case .connectionLost: "connection lost"
        case .notARegularFile: "not a regular file"
        case .noSpace: "no space"
        case .diskRead: "disk read"
        case .diskWrite: "disk write"
        case .authorisation: "authorisation"
        case .peerEndedSession: "peer ended the session"
        case .stalled: "stalled"
        case .outsideDocroot: "outside the docroot"
        case .alreadyExists: "already exists"
        case .cannotStat: "cannot stat"
        }
    }

    /// Tried again inside the activation while the budget lasts.
    package var isRetryable: Bool {
        switch self {
        case .connectionFailed, .connectionTimeout, .connectionLost, .diskRead, .diskWrite,
            .authorisation, .peerEndedSession, .stalled:
            true
        case .protocolViolation, .noSuchFile, .noPermission, .notARegularFile, .noSpace,
            .outsideDocroot, .alreadyExists, .cannotStat:
            false
        }
    }
}

extension TransferError {
    /// What it means that a server answers so to who wants to read an object.
    init(answer status: Int) {
        self =
            switch status {
            // Somebody on the way wants to be seen first.
            case 300..<400: .connectionFailed
            case 401: .authorisation
            case 403: .noPermission
            case 404, 410: .noSuchFile
            case 408, 423, 429, 500...: .peerEndedSession
            default: .protocolViolation
            }
    }
}

/// Why the queue does not take a session: nothing changes, and the app learns what to do.
package enum QueueRefusal: Error, Hashable, Sendable, Encodable {
    case accountWithoutHost
    case accountWithoutCredentials
    case noFiles
    /// P1: a persistent session has none then.
    case filesOfPersistent
    case sourceOutsideContainer(String)
    case destinationOutsideDocroot(String)
    /// Of a download.
    case sourceOutsideDocroot(String)
    case destinationOutsideContainer(String)
    case notStored(String)
    case noSuchIndex(Int, count: Int)
    /// To put a session there.
    case noSuchPlace(Int, count: Int)
    case notInThisState(SessionVerb, SessionID, SessionState)
    case rates(RateRefusal)
    /// Its settings stay as they are while it is active.
    case settingsInUse(SessionID, SessionState)
    /// A path is not added to a persistent session.
    case path(PathRefusal)
    case notInitialised

    /// Of something to be done with what the queue has, and not of a new session.
    package var isOfCommand: Bool {
        switch self {
        case .noSuchIndex, .noSuchPlace, .notInThisState, .path, .settingsInUse: true
        case .rates, .accountWithoutHost, .accountWithoutCredentials, .noFiles, .filesOfPersistent,
            .sourceOutsideContainer, .destinationOutsideDocroot, .sourceOutsideDocroot,
            .destinationOutsideContainer, .notStored, .notInitialised:
            false
        }
    }

    package var message: String {
        switch self {
        case .accountWithoutHost: "the account has no host: set Account.host before enqueuing"
        case .accountWithoutCredentials:
            "the account has no credentials: set Account.credentials before enqueuing"
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
        case .notStored(let reason):
            "the session could not be stored: \(reason); enqueue it again when that is mended"
        }
    }
}

extension SessionVerb {
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
