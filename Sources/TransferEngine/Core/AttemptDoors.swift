public import Content
public import Quantities

/// What can happen to an attempt: to a file that it looked at or wrote, or to its connection.
public enum AttemptInput: Hashable, Sendable, Codable {
    case inspected(TransferID, SourceInspection)
    case examined(TransferID, SourceExamination)
    /// So much of a download is in its part; `nil`: it cannot be.
    case kept(TransferID, ByteCount?)
    case placed(TransferID, PlacementResult)
    case connected(ConnectionID)
    case received(ConnectionID, [Segment])
    /// The connection has taken so many bytes since it was opened; there is room for more.
    case taken(ConnectionID, ByteCount)
    case disconnected(ConnectionID, Disconnection)
    /// A file whose bytes were to be sent there is gone, or is not what it was.
    case unreadable(ConnectionID)

    /// What it happens to.
    enum Subject: Hashable, Sendable {
        case file(of: TransferID)
        case connection(ConnectionID)
    }

    var subject: Subject {
        switch self {
        case .inspected(let transfer, _), .examined(let transfer, _), .kept(let transfer, _),
            .placed(let transfer, _):
            .file(of: transfer)
        case .connected(let connection), .received(let connection, _), .taken(let connection, _),
            .disconnected(let connection, _), .unreadable(let connection):
            .connection(connection)
        }
    }
}

/// What an attempt wants of the network and of files.
public enum AttemptOutput: Hashable, Sendable, Encodable {
    /// Look at the source now; its path is relative to the app's container.
    case inspect(TransferID, path: String)
    /// Look into the source as well: read so much of it.
    case examine(TransferID, path: String, SourceCoverage)
    /// For the sake of this item.
    case connect(ConnectionID, to: Account, by: ItemName)
    case write(ConnectionID, [OutgoingPiece])
    /// Bytes of a download, for its file: from this offset on, and nothing behind them.
    case keep(TransferID, path: String, [Segment], at: ByteCount)
    /// Let what stands under the first path stand under the second one, in one step.
    case place(TransferID, from: String, to: String)
    /// What has come of a download is wanted no more.
    case discard(path: String)
    case close(ConnectionID)
    /// Nothing to carry out: a decision that the log should know.
    case note(Note)
}

/// Bytes to send: real ones, or a place in a file that is read when the connection has room for it.
///
/// Nothing is sent of a file that is not, after it was read, what the engine knows it as: the world
/// answers `.unreadable` then. So bytes of two versions never go into one upload (S2).
public enum OutgoingPiece: Hashable, Sendable, Encodable {
    case bytes([UInt8])
    case file(path: String, offset: ByteCount, length: ByteCount, known: SourceFingerprint)
}

/// What was found where a file should be.
public enum SourceInspection: Hashable, Sendable, Codable {
    case regularFile(SourceFingerprint)
    case missing
    case notARegularFile
}

/// Why a connection is over, or never stood.
public enum Disconnection: Hashable, Sendable, Codable {
    case closedByPeer, refused, reset, timedOut
    /// The device's own network is gone, and the connection with it.
    case networkLost
}

/// A connection of this launch, counted from 1.
public struct ConnectionID: Hashable, Sendable, Codable {
    public var number: UInt32
    public init(_ number: UInt32) { self.number = number }
}
