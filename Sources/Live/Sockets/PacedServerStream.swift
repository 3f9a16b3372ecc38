import Quantities
import TransferEngine
import TransferHost

/// The server's end of a stream over the paced transport, like one of TCP: a session of its own, or
/// a channel of one.
final class PacedServerStream {
    /// Its connection to the server; `nil` before there is one, and once it is forgotten.
    weak var connection: ServerConnection?
    /// Whether the server knows of the stream.
    var wasAccepted = false
    var hasPeerFinished = false
    var isBroken = false
    private let owner: PacedServerSession
    private let channel: Int

    private static let slice = 256 << 10

    init(_ channel: Int, of owner: PacedServerSession) {
        self.owner = owner
        self.channel = channel
    }

    var session: UInt64 { owner.number }

    /// The client's address.
    var peer: SocketAddress {
        var peer = owner.peer
        peer.channel = UInt16(channel)
        return peer
    }

    /// Whether there is something to read, or an end to be told.
    var isReadable: Bool { owner.trunk.hasUnread(on: channel) || hasPeerFinished || isBroken }

    /// Whether writing is worth while.
    var isWritable: Bool { owner.trunk.room(on: channel) >= Self.slice }

    /// Whether the server has yet to hear of it, or its connection can read or write something.
    var isReady: Bool {
        guard wasAccepted else { return true }
        guard let connection else { return false }
        let hears = connection.isHeld ? isBroken : !connection.isDeaf && isReadable
        return hears || connection.hasWaiting && isWritable
    }

    func receive() -> TCPStream.Received {
        let bytes = owner.trunk.read(atMost: Self.slice, on: channel, at: owner.latest)
        if !bytes.isEmpty { return .bytes(bytes) }
        if isBroken { return .broken(.reset) }
        return hasPeerFinished ? .end : .nothing
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> TCPStream.Sent {
        if isBroken { return .broken(.reset) }
        let count = owner.trunk.write(bytes, on: channel)
        return count > 0 || bytes.isEmpty ? .taken(count) : .full
    }

    func send(
        _ file: borrowing Descriptor, at offset: UInt64, atMost count: UInt64
    ) -> TCPStream.Sent {
        if isBroken { return .broken(.reset) }
        guard isWritable else { return .full }
        let limit = Int(min(count, UInt64(min(owner.trunk.room(on: channel), Self.slice))))
        guard let bytes = try? file.bytes(atMost: limit, at: offset), !bytes.isEmpty else {
            return .broken(.reset)
        }
        return bytes.withUnsafeBytes { send($0) }
    }

    func endSending() { owner.trunk.finish(channel, ignoring: false) }

    func reset() { owner.trunk.breakOff(channel, at: owner.latest) }

    /// Drops all that still comes: a client could not finish otherwise.
    func ignore() { owner.trunk.finish(channel, ignoring: true) }
}
