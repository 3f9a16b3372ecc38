/// A path that an app has added to a persistent session, by its number: its process counts them,
/// and nothing of them outlives it (P4).
public struct PathID: Hashable, Sendable {
    public var number: UInt64

    /// Transfers of the store have small numbers, those of operations have another mark.
    private static let mark: UInt64 = 1 << 61

    init(_ number: UInt64) { self.number = number }

    var transfer: TransferID { TransferID(Self.mark | number) }

    /// Whose transfer it is, if it is that of a path.
    public init?(_ transfer: TransferID) {
        guard transfer.number & Self.mark != 0, OperationID(transfer) == nil else { return nil }
        number = transfer.number & ~Self.mark
    }
}

/// Why a path is not added to a session: nothing has changed, and the app learns what to do.
public enum PathRefusal: Error, Hashable, Sendable, Encodable {
    case notPersistent(SessionID)
    /// It has no connection yet, or none any more.
    case notOpen(SessionID)
    case sourceOutsideContainer(String)
    case destinationOutsideDocroot(String)

    public var message: String {
        switch self {
        case .notPersistent(let session):
            "session \(session.number) is not persistent: add its paths before it is enqueued, or "
                + "mark it as persistent"
        case .notOpen(let session):
            "session \(session.number) accepts no path now: add it after the queue has said that "
                + "it can, and before the session stops running"
        case .sourceOutsideContainer(let path):
            "the source “\(path)” is not a path inside the app's container"
        case .destinationOutsideDocroot(let path):
            "the destination “\(path)” leaves the docroot (error 41); use a path relative to it"
        }
    }
}

extension SessionRequest.File {
    /// Why it is no path for a session (A13).
    var refusal: PathRefusal? {
        if !ContainerPath.isInside(source) { return .sourceOutsideContainer(source) }
        if !ContainerPath.isInside(destination) { return .destinationOutsideDocroot(destination) }
        return nil
    }
}

extension TransferError {
    /// It is the file's alone: the next one may go over the same connection.
    var isOfFileAlone: Bool {
        switch self {
        case .noSuchFile, .noPermission, .notARegularFile, .noSpace, .outsideDocroot,
            .alreadyExists, .cannotStat, .pathTooLong:
            true
        case .protocolViolation, .connectionFailed, .connectionTimeout, .connectionLost, .diskRead,
            .diskWrite, .authorisation, .peerEndedSession, .stalled:
            false
        }
    }
}
