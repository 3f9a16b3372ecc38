public import Content
public import Protocols
public import Quantities

/// What can happen to an attempt: to its connection, or to a file that it inspects or writes.
public enum AttemptInput: Hashable, Sendable, Codable {
    case inspected(TransferID, SourceInspection)
    case examined(TransferID, SourceExamination)
    /// The length of a download's partial file; `nil` if it cannot be written.
    case kept(TransferID, ByteCount?)
    case placed(TransferID, PlacementResult)
    case connected(ConnectionID)
    case received(ConnectionID, [Segment])
    /// Bytes that the connection has taken since it was opened; there is room for more.
    case taken(ConnectionID, ByteCount)
    case disconnected(ConnectionID, Disconnection)
    /// A file to be sent on this connection is not the known one, or cannot be read.
    case unreadable(ConnectionID, found: SourceInspection? = nil)

    /// The file or connection to which an input happens.
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
            .disconnected(let connection, _), .unreadable(let connection, _):
            .connection(connection)
        }
    }
}

/// What an attempt wants from the network and the file system.
public enum AttemptOutput: Hashable, Sendable, Encodable {
    /// Inspect the source now; its path is relative to the app's container.
    case inspect(TransferID, path: String)
    /// Inspect the source and read this much of it.
    case examine(TransferID, path: String, SourceCoverage)
    /// Open a connection for this item, or for nobody in particular.
    case connect(ConnectionID, to: Account, by: ItemName?)
    /// Open a stream of the paced transport for this item.
    indirect case connectPaced(ConnectionID, PacedRoute, by: ItemName)
    /// Open another channel of this item's session of the paced transport.
    case connectChannel(ConnectionID, beside: ConnectionID, by: ItemName)
    /// Send on this stream of the paced transport at other rates.
    case pace(ConnectionID, RateWish)
    /// Read the answer on this connection, which brings a new token, and tell what it says of the
    /// credential. The engine does not see it.
    case readToken(ConnectionID, CredentialHandle)
    /// Keep this token for no later launch: the server has rejected it, on this connection if it
    /// was one of the own process.
    case forget(CredentialUse, sentOn: ConnectionID?)
    case write(ConnectionID, [OutgoingPiece])
    /// Write these bytes of a download to its file at this offset, and cut off everything after
    /// them.
    case keep(TransferID, path: String, [Segment], at: ByteCount)
    /// Rename the first path to the second in one step.
    case place(TransferID, from: String, to: String)
    /// Delete a download's partial file.
    case discard(path: String)
    /// Close the connection after everything written to it.
    case close(ConnectionID)
    /// Reset the connection, and drop what has not left the device.
    case abort(ConnectionID)
    /// Nothing to carry out: a decision for the log.
    case note(Note)
}

/// The way to a session of the paced transport that a server has opened.
public struct PacedRoute: Hashable, Sendable, Encodable {
    public var account: Account
    public var session: UInt64
    /// The server's UDP port.
    public var port: UInt16
    /// Whether other channels will be opened beside the first.
    public var hasChannels: Bool
    public var rate: RateWish
    /// The connection on which the client has asked for the session, and whom it named there.
    public var control: ConnectionID
    public var credential: CredentialUse?
    /// The nonces of both sides, of which the keys of the session are made.
    public var client: PacedNonce
    public var server: PacedNonce
}

/// Bytes to send: literal, a secret that the host fills in, or a range of a file that is read when
/// the connection has room for it.
///
/// A file is sent only if it still has the known fingerprint after it was read; otherwise the world
/// answers `.unreadable`. So bytes of two versions never go into one upload (S2).
public enum OutgoingPiece: Hashable, Sendable, Encodable {
    case bytes([UInt8])
    case credential(CredentialUse)
    case file(path: String, offset: ByteCount, length: ByteCount, known: SourceFingerprint)
}

/// The result of inspecting a path.
public enum SourceInspection: Hashable, Sendable, Codable {
    case regularFile(SourceFingerprint)
    case missing
    case notARegularFile
}

/// Why a connection ended or never opened.
public enum Disconnection: Hashable, Sendable, Codable {
    case closedByPeer, refused, reset, timedOut
    /// The device's own network is gone.
    case networkLost
    /// The host's name could not be resolved.
    case notFound
    /// The server's certificate is not trusted, or is another server's.
    case untrusted
}

/// A connection's number, counted from 1 at each launch.
public struct ConnectionID: Hashable, Sendable, Codable {
    public var number: UInt32
    public init(_ number: UInt32) { self.number = number }
}
