public import Quantities

/// An upload operation's number, which the app's manager counts.
public struct OperationID: Hashable, Sendable, Codable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// The mark in an operation's transfer number; queue transfers have small numbers.
    private static let mark: UInt64 = 1 << 62
    var transfer: TransferID { TransferID(Self.mark | number) }

    /// The operation of a transfer; `nil` if it belongs to something else.
    public init?(_ transfer: TransferID) {
        guard transfer.number & Self.mark != 0 else { return nil }
        number = transfer.number & ~Self.mark
    }
}

/// A command to the app's upload operations.
public enum OperationCommand: Hashable, Sendable, Codable {
    case start(OperationID, OperationRequest)
    case cancel(OperationID)
    case retry(OperationID)
    /// Removes all operations that have ended from the lists.
    case flush
    /// The app has released the operation, and will not ask for anything.
    case forget(OperationID)

    /// The operation that the command begins, for the first time or again.
    var begun: OperationID? {
        switch self {
        case .start(let id, _), .retry(let id): id
        case .cancel, .flush, .forget: nil
        }
    }
}

/// An upload operation as the app describes it.
public struct OperationRequest: Hashable, Sendable, Codable {
    public var account: Account
    public var source: String
    public var destination: String
    /// Whether an expired token is replaced by a new one (U6).
    public var refreshesToken: Bool

    public init(
        account: Account, source: String, destination: String, refreshesToken: Bool = false
    ) {
        self.account = account
        self.source = source
        self.destination = destination
        self.refreshesToken = refreshesToken
    }
}

/// A message to the app about an operation.
public enum OperationNews: Hashable, Sendable, Encodable {
    /// The operation is ongoing, for the first time or again.
    case added
    case progress(done: ByteCount, total: ByteCount)
    case completed
    case failed(OperationError)
    /// The operation has been in its list for long enough, and has left it.
    case agedOut
    /// The operation has left its list because the app empties the lists.
    case flushed
}

/// Why an operation failed.
public enum OperationError: PublishedError, Hashable, Sendable, Encodable {
    case transport(TaskError)
    /// The server refused.
    case answered(status: Int)
    /// The signed address is no longer valid.
    case tokenExpired

    public var code: Int {
        switch self {
        case .transport(let error): error.rawValue
        case .answered(let status): status
        case .tokenExpired: 401
        }
    }

    public var message: String {
        switch self {
        case .transport(let error): error.message
        case .answered(let status): "the server answered \(status)"
        case .tokenExpired:
            "the upload token has expired: begin a new operation, or let its token be refreshed"
        }
    }
}

/// Why a command to an operation is refused. Nothing has changed, and the app learns what to do.
public enum OperationRefusal: Error, Hashable, Sendable, Encodable {
    case accountWithoutHost, accountWithoutCredentials
    case sourceOutsideContainer(String)
    case destinationOutsideDocroot(String)
    case numberInUse(OperationID)
    case numberTooLarge(OperationID)
    case noSuchOperation(OperationID)
    case notFailed(OperationID, OperationState)
    /// Carries the operation that was to begin, if one was.
    case notInitialised(OperationID?)

    public var message: String {
        switch self {
        case .accountWithoutHost: "the account has no host: set Account.host before uploading"
        case .accountWithoutCredentials:
            "the account has no credentials: set Account.credentials before uploading"
        case .sourceOutsideContainer(let path):
            "the source “\(path)” is not a path inside the app's container"
        case .destinationOutsideDocroot(let path):
            "the destination “\(path)” leaves the docroot (error 41); use a path relative to it"
        case .numberInUse(let id): "there is an operation \(id.number) already: use another number"
        case .numberTooLarge(let id): TransferID.words(tooLarge: id.number)
        case .noSuchOperation(let id):
            "there is no operation \(id.number): nothing is kept of one that was completed and has "
                + "left its list, or that an earlier process had; begin a new one"
        case .notFailed(let id, let state):
            "operation \(id.number) is \(state.rawValue), and only one that has failed can be "
                + "retried"
        case .notInitialised:
            "the engine is not initialised: wait until it is ready before uploading"
        }
    }
}
