/// The number of a path that an app has added to a persistent session. Each process counts its own,
/// and no path outlives it (P4).
public struct PathID: Hashable, Sendable {
    public var number: UInt64

    /// The mark in a path's transfer number. Stored transfers have small numbers, and operations
    /// another mark.
    private static let mark: UInt64 = 1 << 61

    init(_ number: UInt64) { self.number = number }

    var transfer: TransferID { TransferID(Self.mark | number) }

    /// The path of a transfer; `nil` if it belongs to something else.
    public init?(_ transfer: TransferID) {
        guard transfer.number & Self.mark != 0, OperationID(transfer) == nil else { return nil }
        number = transfer.number & ~Self.mark
    }
}

/// Why a path is not added to a session. Nothing has changed, and the app learns what to do.
public enum PathRefusal: Error, Hashable, Sendable, Codable {
    case notPersistent(SessionID)
    /// The session has no open connection.
    case notOpen(SessionID)
    /// The session has been made, and is in no queue.
    case notYetEnqueued
    case sourceOutsideContainer(String)
    case destinationOutsideDocroot(String)
    /// The paths of a download.
    case sourceOutsideDocroot(String)
    case destinationOutsideContainer(String)

    public var message: String {
        switch self {
        case .notPersistent(let session):
            "session \(session.number) is not persistent: add its paths before it is enqueued, or "
                + "mark it as persistent"
        case .notOpen(let session):
            "session \(session.number) accepts no path now: add it after the queue has said that "
                + "it can, and before the session stops running"
        case .notYetEnqueued:
            "the session is in no queue: enqueue it, and add its paths once it can accept them"
        case .sourceOutsideContainer(let path):
            "the source “\(path)” is not a path inside the app's container"
        case .destinationOutsideDocroot(let path):
            "the destination “\(path)” leaves the docroot (error 41); use a path relative to it"
        case .sourceOutsideDocroot(let path):
            "the source “\(path)” leaves the docroot (error 41); use a path relative to it"
        case .destinationOutsideContainer(let path):
            "the destination “\(path)” is not a path inside the app's container"
        }
    }
}

extension SessionRequest.File {
    /// Why the file cannot be added (A13).
    func refusal(isDownload: Bool) -> PathRefusal? {
        if !ContainerPath.isInside(source) {
            return isDownload ? .sourceOutsideDocroot(source) : .sourceOutsideContainer(source)
        }
        if !ContainerPath.isInside(destination) {
            return isDownload
                ? .destinationOutsideContainer(destination)
                : .destinationOutsideDocroot(destination)
        }
        return nil
    }
}
