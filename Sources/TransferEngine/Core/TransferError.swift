/// An error with its published number and name (behaviour A16).
public enum TransferError: Int, PublishedError, Hashable, Sendable, Codable, CaseIterable {
    case protocolViolation = 1
    case noSuchFile = 4
    case noPermission = 5
    case connectionFailed = 12
    case connectionTimeout = 13
    /// The server's system has no UDP port for the session.
    case dataConnectionFailed = 14
    case dataTimeout = 15
    case connectionLost = 16
    /// What is sent over UDP arrives, and nothing comes back.
    case noFeedback = 17
    /// Nothing that is sent over UDP arrives.
    case noData = 18
    /// The server does not accept the name or the password, or wants them and there are none.
    case authentication = 19
    case notARegularFile = 21
    case noSpace = 25
    /// Some files of a session of several have failed, and all others have arrived.
    case someFilesFailed = 27
    /// The server gives no new token for the name and the password.
    case unauthorised = 34
    case diskRead = 35
    case diskWrite = 36
    /// The server does not accept a token, or a new one is not to be had for now.
    case authorisation = 37
    case peerEndedSession = 39
    case stalled = 40
    case outsideDocroot = 41
    case alreadyExists = 42
    case cannotStat = 43
    /// The server does not offer the paced transport.
    case datagramsNotStarted = 44
    case pathTooLong = 55

    public var code: Int { rawValue }

    public var message: String {
        switch self {
        case .protocolViolation: "protocol error"
        case .noSuchFile: "no such file"
        case .noPermission: "no permission"
        case .connectionFailed: "control connection failed"
        case .connectionTimeout: "control timeout"
        case .dataConnectionFailed: "data connection failed"
        case .dataTimeout: "data timeout"
        case .connectionLost: "connection lost"
        case .noFeedback: "receiver cannot send feedback"
        case .noData: "receiver gets no data"
        case .authentication: "authentication"
        case .notARegularFile: "not a regular file"
        case .noSpace: "no space"
        case .someFilesFailed: "some files failed"
        case .unauthorised: "unauthorised"
        case .diskRead: "disk read"
        case .diskWrite: "disk write"
        case .authorisation: "authorisation"
        case .peerEndedSession: "peer ended the session"
        case .stalled: "stalled"
        case .outsideDocroot: "outside the docroot"
        case .alreadyExists: "already exists"
        case .cannotStat: "cannot stat"
        case .datagramsNotStarted: "UDP start failed"
        case .pathTooLong: "path too long"
        }
    }

    /// Whether the error is retried within the activation while the budget lasts.
    public var isRetryable: Bool {
        switch self {
        case .connectionFailed, .connectionTimeout, .dataConnectionFailed, .dataTimeout,
            .connectionLost, .noFeedback, .noData, .diskRead, .diskWrite, .authorisation,
            .peerEndedSession, .stalled, .datagramsNotStarted:
            true
        case .protocolViolation, .noSuchFile, .noPermission, .authentication, .notARegularFile,
            .noSpace, .someFilesFailed, .unauthorised, .outsideDocroot, .alreadyExists, .cannotStat,
            .pathTooLong:
            false
        }
    }
}

extension TransferError {
    /// Whether the error concerns only this file: the next one may use the same connection.
    var isOfFileAlone: Bool {
        switch self {
        case .noSuchFile, .noPermission, .notARegularFile, .noSpace, .outsideDocroot,
            .alreadyExists, .cannotStat, .pathTooLong:
            true
        case .protocolViolation, .connectionFailed, .connectionTimeout, .dataConnectionFailed,
            .dataTimeout, .connectionLost, .noFeedback, .noData, .authentication, .unauthorised,
            .diskRead, .diskWrite, .authorisation, .peerEndedSession, .stalled, .someFilesFailed,
            .datagramsNotStarted:
            false
        }
    }

    /// Whether the error is of the phone's file system: it is retried, but when the budget is
    /// spent it ends the file, and not all that comes after it.
    var isOfDisk: Bool { self == .diskRead || self == .diskWrite }
}

extension SessionResult {
    /// The result of a session that failed with this error.
    public static func failed(_ error: TransferError) -> SessionResult {
        .failed(code: error.code, message: error.message)
    }

    /// The error of a failed session.
    public var error: TransferError? {
        if case .failed(let code, _) = self { TransferError(rawValue: code) } else { nil }
    }
}

extension TransferError {
    /// The error behind this answer to a request to read an object.
    init(answer status: Int) {
        self =
            switch status {
            // A proxy or captive portal on the way wants to be seen first.
            case 300..<400: .connectionFailed
            case 401: .authentication
            case 403: .noPermission
            case 404, 410: .noSuchFile
            case 414: .pathTooLong
            case 408, 423, 429, 500...: .peerEndedSession
            default: .protocolViolation
            }
    }
}
