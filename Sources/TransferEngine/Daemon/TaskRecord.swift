public import Protocols
public import Quantities

/// A stored task of a background session, which outlives the app.
public struct TaskRecord: Hashable, Sendable, Codable {
    public var id: TaskID
    /// The identifier of the task's session (B1).
    public var session: String
    public var account: Account
    /// The transfer, with the task's number. For a download, the source is the address on the
    /// server, and the destination is the daemon's own file.
    public var transfer: TransferRecord
    /// What the app adds to the request.
    public var method: String?
    public var fields = HTTPFields()
    public var isDownload: Bool
    /// Whether an upload can be resumed: its resource is then its address on the server.
    public var isResumable: Bool
    public var configuration: BackgroundConfiguration
    /// The limits of the app's request alone.
    public var limits: NetworkLimits
    public var state: TaskState
    public var failures: Int
    /// The earliest start of a task that the app made in the background (B11).
    public var notBefore: Instant?
    /// When the system gives the task up (B10), once it has been resumed.
    public var deadline: Instant?
    /// The outcome of a finished task.
    public var outcome: TaskOutcome?
    /// How often the app's data had been cleared when the task was made. Tasks of a cleared app do
    /// not concern its next installation.
    public var installation: UInt32
    /// The body of the answer to an upload.
    public var answer: [UInt8] = []
    /// Whether the part of a download is kept, so that another task can continue it (B12).
    public var keepsPart = false
    /// Whether the task is kept for its part alone, because its app was told of its end.
    public var isTold = false

    public init(
        id: TaskID, session: String, account: Account, transfer: TransferRecord,
        isDownload: Bool = false, isResumable: Bool = false, limits: NetworkLimits = [],
        configuration: BackgroundConfiguration = BackgroundConfiguration(),
        state: TaskState = .suspended, failures: Int = 0, notBefore: Instant? = nil,
        deadline: Instant? = nil, outcome: TaskOutcome? = nil, installation: UInt32 = 0
    ) {
        self.id = id
        self.session = session
        self.account = account
        self.transfer = transfer
        self.isDownload = isDownload
        self.isResumable = isResumable
        self.limits = limits
        self.configuration = configuration
        self.state = state
        self.failures = failures
        self.notBefore = notBefore
        self.deadline = deadline
        self.outcome = outcome
        self.installation = installation
    }
}

/// A task: the app's place on its phone, and the number that the app chose.
public struct TaskID: Hashable, Sendable, Codable, Comparable {
    public var app: UInt16
    public var number: UInt64

    public init(app: UInt16, number: UInt64) {
        self.app = app
        self.number = number
    }

    /// The task of a transfer number.
    public init(_ transfer: TransferID) {
        app = UInt16(transfer.number >> 48)
        number = transfer.number & (1 << 48 - 1)
    }

    public var transfer: TransferID { TransferID(UInt64(app) << 48 | number) }

    public static func < (left: Self, right: Self) -> Bool {
        (left.app, left.number) < (right.app, right.number)
    }
}

/// The delay of tasks that an app makes in the background (B11).
public struct BackgroundDelay: Hashable, Sendable, Codable {
    public var app: UInt16
    public var time: TimeSpan

    public init(of app: UInt16, _ time: TimeSpan) {
        self.app = app
        self.time = time
    }

    /// The delay of an app that was in front since it was last woken, or was never woken.
    public static let first = TimeSpan.seconds(60)
    static let longest = TimeSpan.seconds(7 * 24 * 3600)
}

/// How a task finished.
public enum TaskOutcome: Hashable, Sendable, Codable {
    /// The server has answered; 404 is an answer, not an error (B8).
    case answered(TaskResponse)
    case failed(TaskError)

    /// An answer of which only the status matters.
    public static func answered(status: Int) -> Self { .answered(TaskResponse(status)) }
}

extension TaskRecord {
    /// The request as the app has written it.
    public var request: TaskRequest {
        TaskRequest(
            isDownload ? transfer.source : transfer.destination, of: account, method: method,
            fields: fields, limits: limits)
    }

    /// The networks that must not carry the task, also if it waits for the best.
    var allLimits: NetworkLimits {
        limits.union(configuration.limits)
            .union(configuration.isDiscretionary ? [.noCellular, .needsCharger] : [])
    }

    /// Whether the task's download goes on with the part of another task.
    func continues(_ other: TaskRecord) -> Bool {
        isDownload && id != other.id && transfer.destination == other.transfer.destination
    }

    /// Keeps what the download has brought, if it can be continued (B12).
    mutating func keepPart() {
        keepsPart = isDownload && transfer.resource != nil && !transfer.isComplete
    }

    /// Whether a download asks for all of an object (B12).
    var asksForObject: Bool {
        GetRequest(object: transfer.source, from: .zero, of: nil, extras).canResume
    }

    var extras: RequestExtras { RequestExtras(method: method, fields: fields) }

    /// What another task needs to continue this download (B12).
    var resumeData: ResumeData? {
        keepsPart ? ResumeData(task: id.number, request: request) : nil
    }
}

/// An error of the transport, with the number and name of `URLError`.
public enum TaskError: Int, PublishedError, Hashable, Sendable, Codable, CaseIterable {
    case cancelled = -999
    case timedOut = -1001
    case cannotFindHost = -1003
    case connectionLost = -1005
    case notConnectedToInternet = -1009
    case badServerResponse = -1011
    case userAuthenticationRequired = -1013
    case serverCertificateUntrusted = -1202
    case fileDoesNotExist = -1100
    case fileIsDirectory = -1101
    case noPermissionsToReadFile = -1102
    case cannotWriteToFile = -3003

    public var code: Int { rawValue }

    public var message: String {
        switch self {
        case .cancelled: "cancelled"
        case .timedOut: "timed out"
        case .cannotFindHost: "cannot find host"
        case .connectionLost: "network connection lost"
        case .notConnectedToInternet: "not connected to the Internet"
        case .badServerResponse: "bad server response"
        case .userAuthenticationRequired: "user authentication required"
        case .serverCertificateUntrusted: "server certificate untrusted"
        case .fileDoesNotExist: "file does not exist"
        case .fileIsDirectory: "file is a directory"
        case .noPermissionsToReadFile: "file cannot be read as it was"
        case .cannotWriteToFile: "cannot write to file"
        }
    }

    /// The task error for an error of an attempt.
    init(_ error: TransferError) {
        switch error {
        case .connectionFailed, .connectionLost, .peerEndedSession, .dataConnectionFailed,
            .noFeedback, .noData, .datagramsNotStarted:
            self = .connectionLost
        case .authentication, .unauthorised, .authorisation: self = .userAuthenticationRequired
        case .connectionTimeout, .stalled, .dataTimeout: self = .timedOut
        case .protocolViolation, .outsideDocroot, .noPermission, .alreadyExists, .cannotStat,
            .pathTooLong, .someFilesFailed:
            self = .badServerResponse
        case .noSuchFile: self = .fileDoesNotExist
        case .notARegularFile: self = .fileIsDirectory
        case .diskRead: self = .noPermissionsToReadFile
        case .diskWrite, .noSpace: self = .cannotWriteToFile
        }
    }

    /// The task error for a connection that ended or never opened.
    init(_ end: Disconnection) {
        switch end {
        case .timedOut: self = .timedOut
        case .notFound: self = .cannotFindHost
        case .untrusted: self = .serverCertificateUntrusted
        case .closedByPeer, .refused, .reset, .networkLost: self = .connectionLost
        }
    }

    /// Whether the system retries by itself (B10); a changed source stays changed.
    var isRetried: Bool {
        switch self {
        case .timedOut, .cannotFindHost, .connectionLost, .notConnectedToInternet,
            .cannotWriteToFile:
            true
        case .cancelled, .badServerResponse, .userAuthenticationRequired, .fileDoesNotExist,
            .fileIsDirectory, .noPermissionsToReadFile, .serverCertificateUntrusted:
            false
        }
    }
}
