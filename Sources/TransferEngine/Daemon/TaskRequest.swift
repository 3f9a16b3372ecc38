public import Protocols
public import Quantities

/// The request of a background task as its app writes it: a server, an address there, a method and
/// header fields.
public struct TaskRequest: Hashable, Sendable, Codable {
    /// The server, and what proves to it who asks.
    public var account: Account
    /// A place below the docroot or, with a slash at its beginning, the path and query of any URL.
    public var address: String
    /// `nil` for GET of a download, and PUT of an upload.
    public var method: String?
    /// Header fields besides those that the system sets.
    public var fields: HTTPFields
    /// The networks that must not carry the task.
    public var limits: NetworkLimits

    public init(
        _ address: String, of account: Account, method: String? = nil,
        fields: HTTPFields = HTTPFields(), limits: NetworkLimits = []
    ) {
        self.account = account
        self.address = address
        self.method = method
        self.fields = fields
        self.limits = limits
    }

    /// The last part of the path, without the query.
    public var lastPathComponent: String {
        let last = String(path.split(separator: "/").last ?? "")
        guard address.hasPrefix("/") else { return last }
        return (try? PercentCoding.decode(last)) ?? last
    }

    package var object: String { Self.object(at: address) }

    /// Returns the place below the docroot or, if the address is not that of an object, its path.
    package static func object(at address: String) -> String {
        guard address.hasPrefix("/"), let target = try? RequestTarget(address) else {
            return address
        }
        return ["dav", "upload"].contains(target.first) ? target.behindFirst : target.path
    }

    private var path: Substring { address.prefix { $0 != "?" } }
}

extension TaskRequest {
    /// Checks the request's address, method and fields.
    package func check(isUpload: Bool) throws(TaskRefusal) {
        if account.host.isEmpty { throw .accountWithoutHost }
        guard address.hasPrefix("/") ? Self.isTarget(address) : ContainerPath.isInside(address)
        else { throw .destinationOutsideDocroot(address) }
        if let method {
            guard Self.isToken(method) else { throw .noMethod(method) }
            if isUpload, ["GET", "HEAD"].contains(method) { throw .methodWithoutBody(method) }
        }
        for field in fields.all {
            guard Self.isToken(field.name), field.value.utf8.allSatisfy(Self.isText) else {
                throw .noField(field.name)
            }
            guard !Self.reserved.contains(field.name.lowercased()) else {
                throw .reservedField(field.name)
            }
        }
    }

    /// Fields that the system sets itself.
    private static let reserved = [
        "authorization", "connection", "content-length", "host", "idempotency-key", "if-range",
        "proxy-authenticate", "proxy-authorization", "transfer-encoding", "upload-complete",
        "upload-draft-interop-version", "upload-incomplete", "upload-length", "upload-offset",
        "www-authenticate",
    ]

    /// Whether a text can stand in a request line: it is encoded, and has no fragment.
    private static func isTarget(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }
            && (try? RequestTarget(text)) != nil
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(HTTPHeadParser.isToken)
    }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f || byte == 0x09
    }
}

/// How a background session transfers. Tasks keep what their session had when they were made.
public struct BackgroundConfiguration: Hashable, Sendable, Codable {
    /// The networks that must not carry the session's tasks (B13).
    public var limits: NetworkLimits
    /// Whether the tasks wait for Wi-Fi and a charger.
    public var isDiscretionary: Bool
    /// How long a request may be silent before the system tries it again (B10).
    public var requestTimeout: TimeSpan
    /// How long the system tries before it gives a task up (B10).
    public var resourceTimeout: TimeSpan
    /// Whether the system runs the app in the background for the session's events (B7).
    public var sendsLaunchEvents: Bool

    public init(
        limits: NetworkLimits = [], isDiscretionary: Bool = false,
        requestTimeout: TimeSpan = .seconds(60),
        resourceTimeout: TimeSpan = .seconds(7 * 24 * 3600), sendsLaunchEvents: Bool = true
    ) {
        self.limits = limits
        self.isDiscretionary = isDiscretionary
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.sendsLaunchEvents = sendsLaunchEvents
    }
}

/// A task as the system is asked for it.
public struct BackgroundTaskRequest: Hashable, Sendable, Codable {
    /// An upload from a file, or a download to one: nothing else is possible in the background
    /// (B9).
    public enum Transfer: Hashable, Sendable, Codable {
        /// A path in the app's container. `isResumable` says whether the address supports resumable
        /// uploads.
        case upload(from: String, isResumable: Bool = false)
        case download
        /// Continues a download.
        case resumption(ResumeData)
    }

    public var session: String
    public var request: TaskRequest
    public var transfer: Transfer
    /// The session's configuration.
    public var configuration: BackgroundConfiguration

    public init(
        session: String, _ request: TaskRequest, _ transfer: Transfer,
        configuration: BackgroundConfiguration = BackgroundConfiguration()
    ) {
        self.session = session
        self.request = request
        self.transfer = transfer
        self.configuration = configuration
    }
}

/// What is needed to continue a download that has failed or was cancelled, in a task of its own.
public struct ResumeData: Hashable, Sendable, Codable {
    /// The number of the earlier task, whose part the system still has.
    public let task: UInt64
    /// The request of the earlier task.
    public let request: TaskRequest

    package init(task: UInt64, request: TaskRequest) {
        self.task = task
        self.request = request
    }
}

/// The head of a server's answer.
public struct TaskResponse: Hashable, Sendable, Codable {
    public var status: Int
    public var fields: HTTPFields

    public init(_ status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
    }

    /// Whether the server has done what was asked.
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// A task of a session, as the session lists it.
public struct TaskSummary: Hashable, Sendable, Codable {
    public let number: UInt64
    public let originalRequest: TaskRequest
    public let isDownload: Bool
    /// Finished, if the app has not heard of that.
    public let state: TaskState

    package init(
        number: UInt64, originalRequest: TaskRequest, isDownload: Bool, state: TaskState
    ) {
        self.number = number
        self.originalRequest = originalRequest
        self.isDownload = isDownload
        self.state = state
    }
}
