/// The errors of resumable transfers, with their published numbers (behaviour K11).
public enum KiiError: Int, Error, Hashable, Sendable, Encodable, CaseIterable {
    case alreadyCompleted = 801
    case noFile = 804
    case isDirectory = 805
    case emptyFile = 806
    case cannotSuspend = 807
    case cannotTerminate = 808
    case suspended = 809
    case terminated = 810
    case alreadyStarted = 811
    case fileChanged = 812
    case rangeNotSatisfiable = 813
    case notWritable = 814

    public var message: String {
        switch self {
        case .alreadyCompleted: "the transfer is complete: make a new one to send it again"
        case .noFile: "the local file does not exist"
        case .isDirectory: "the local file is a directory"
        case .emptyFile: "the local file is empty: there is nothing to transfer"
        case .cannotSuspend: "only an ongoing transfer can be suspended"
        case .cannotTerminate: "only an ongoing or a suspended transfer can be terminated"
        case .suspended: "the transfer is suspended"
        case .terminated: "the transfer was terminated: make a new one"
        case .alreadyStarted:
            "the transfer is under way already: wait for its end, or suspend it first"
        case .fileChanged:
            "the local file is not what the transfer began with: terminate it, or put back the file"
        case .rangeNotSatisfiable: "the server has no such range of the body"
        case .notWritable: "the local file cannot be written"
        }
    }
}

/// Why a resumable transfer does not continue.
public enum ResumableError: PublishedError, Hashable, Sendable, Encodable {
    case kii(KiiError)
    case transport(TaskError)
    /// The plan has no room for the object (K9).
    case storageFull
    case answered(status: Int)

    public var code: Int {
        switch self {
        case .kii(let error): error.rawValue
        case .transport(let error): error.rawValue
        case .storageFull: 507
        case .answered(let status): status
        }
    }

    public var message: String {
        switch self {
        case .kii(let error): error.message
        case .transport(let error): error.message
        case .storageFull:
            "the storage of the plan is full: delete bodies or take a larger plan, then resume"
        case .answered(404): "the server knows nothing of it any more"
        case .answered(let status): "the server answered \(status)"
        }
    }

    /// The error of a lane that the server did not explain.
    init(_ error: TransferError) {
        switch error {
        case .noSuchFile: self = .kii(.noFile)
        case .notARegularFile: self = .kii(.isDirectory)
        case .noSpace: self = .storageFull
        case .protocolViolation, .noPermission, .connectionFailed, .connectionTimeout,
            .dataConnectionFailed, .dataTimeout, .connectionLost, .noFeedback, .noData,
            .authentication, .unauthorised, .diskRead, .diskWrite, .authorisation,
            .peerEndedSession, .stalled, .someFilesFailed, .outsideDocroot, .alreadyExists,
            .cannotStat, .datagramsNotStarted, .pathTooLong:
            self = .transport(TaskError(error))
        }
    }

    /// The meaning of the server's answer for an upload or a download.
    init(status: Int, ofDownload: Bool) {
        switch status {
        case 416 where ofDownload: self = .kii(.rangeNotSatisfiable)
        case 413, 507: self = .storageFull
        default: self = .answered(status: status)
        }
    }

    /// Whether the error leaves the transfer suspended (K6). On iOS, an error of the local file at
    /// the start ends it.
    func isRecoverable(on platform: Platform, atStart: Bool) -> Bool {
        switch self {
        case .kii(let error):
            switch error {
            case .noFile, .isDirectory, .emptyFile, .notWritable: platform == .android || !atStart
            case .suspended, .fileChanged: true
            case .rangeNotSatisfiable, .terminated, .alreadyCompleted, .cannotSuspend,
                .cannotTerminate, .alreadyStarted:
                false
            }
        case .transport(let error): error != .badServerResponse
        case .storageFull: true
        case .answered(let status):
            switch status {
            case 401, 408, 409, 423, 429, 500...: true
            default: false
            }
        }
    }
}

/// The system that the app runs on, as far as the engine depends on it.
public enum Platform: Hashable, Sendable, Codable {
    case iOS, android
}

/// Why a command to a resumable transfer is refused. Nothing has changed.
public enum EntryRefusal: Error, Hashable, Sendable, Encodable {
    case error(EntryID, KiiError)
    case noSuchTransfer(EntryID)
    case numberTooLarge(EntryID)
    case accountWithoutHost(EntryID)
    case accountWithoutCredentials(EntryID)
    case fileOutsideContainer(EntryID, String)
    case noObject(EntryID, String)
    case notStored(EntryID, String)
    case notInitialised(EntryID)

    public var id: EntryID {
        switch self {
        case .error(let id, _), .noSuchTransfer(let id), .numberTooLarge(let id),
            .accountWithoutHost(let id), .accountWithoutCredentials(let id),
            .fileOutsideContainer(let id, _), .noObject(let id, _), .notStored(let id, _),
            .notInitialised(let id):
            id
        }
    }

    /// The published number, if there is one.
    public var code: Int? {
        if case .error(_, let error) = self { error.rawValue } else { nil }
    }

    public var message: String {
        switch self {
        case .error(_, let error): error.message
        case .noSuchTransfer(let id):
            "there is no transfer \(id.number): make an uploader or a downloader, and start it"
        case .numberTooLarge(let id): TransferID.words(tooLarge: id.number)
        case .accountWithoutHost: "the account has no host: set Account.host before transferring"
        case .accountWithoutCredentials:
            "the account has no credentials: set Account.credentials before transferring"
        case .fileOutsideContainer(_, let path):
            "the local file “\(path)” is not a path inside the app's container"
        case .noObject(_, let path):
            "“\(path)” names no object of a bucket: use “app/buckets/BUCKET/objects/OBJECT”"
        case .notStored(_, let reason):
            "the transfer could not be stored: \(reason); start it again when that is mended"
        case .notInitialised:
            "the engine is not initialised: wait until it is ready before transferring"
        }
    }
}
