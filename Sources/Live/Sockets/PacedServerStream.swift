import DocrootServer
import Protocols
import Quantities
import TransferEngine
import TransferHost

/// The server's end of a session over the paced transport: a stream like one of TCP.
final class PacedServerStream {
    let session: UInt64
    /// The client's address.
    let peer: SocketAddress
    /// Its connection to the server; `nil` before there is one, and once it is forgotten.
    weak var connection: ServerConnection?
    /// Whether the server knows of the stream.
    var wasAccepted = false
    /// Whether the port has told of a change, and nobody has looked.
    var isChanged = false
    private var line: PacedLine
    private let batch: DatagramBatch
    private var latest: Instant
    private var hasPeerFinished = false
    private(set) var isBroken = false
    private var goneAt: Instant?

    /// What a client may still ask after the end, because an answer was lost.
    private static let lingering = TimeSpan.seconds(10)
    private static let slice = 256 << 10

    init(_ session: PacedSession, from peer: SocketAddress, at now: Instant) {
        self.session = session.number
        self.peer = peer
        let keys = PacedKeys(
            authorization: session.authorization, client: session.client, server: session.server)
        line = PacedLine(
            keys, session: session.number, at: .server, session.rates, at: now)
        batch = DatagramBatch(to: peer)
        latest = now
    }

    // MARK: The stream

    /// Whether there is something to read, or an end to be told.
    var isReadable: Bool { line.hasUnread || hasPeerFinished || isBroken }

    /// Whether writing is worth while.
    var isWritable: Bool { line.room >= Self.slice }

    func receive() -> TCPStream.Received {
        let bytes = line.read(atMost: Self.slice, at: latest)
        if !bytes.isEmpty { return .bytes(bytes) }
        if isBroken { return .broken(.reset) }
        return hasPeerFinished ? .end : .nothing
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> TCPStream.Sent {
        if isBroken { return .broken(.reset) }
        let count = line.write(bytes)
        return count > 0 || bytes.isEmpty ? .taken(count) : .full
    }

    func send(
        _ file: borrowing Descriptor, at offset: UInt64, atMost count: UInt64
    ) -> TCPStream.Sent {
        if isBroken { return .broken(.reset) }
        guard isWritable else { return .full }
        let limit = Int(min(count, UInt64(min(line.room, Self.slice))))
        guard let bytes = try? file.bytes(atMost: limit, at: offset), !bytes.isEmpty else {
            return .broken(.reset)
        }
        return bytes.withUnsafeBytes { send($0) }
    }

    func endSending() { line.finish() }

    func reset() { line.abort(at: latest) }

    /// Drops all that still comes: a client could not finish otherwise.
    func ignore() { line.ignore() }

    // MARK: Datagrams

    /// When `send` is to be called.
    var deadline: Instant? {
        if isReady { return latest }
        return batch.isEmpty ? line.deadline : latest + .milliseconds(1)
    }

    /// Whether its connection can read or write something.
    private var isReady: Bool {
        guard let connection else { return false }
        let hears = connection.isHeld ? isBroken : !connection.isDeaf && isReadable
        return hears || connection.hasWaiting && isWritable
    }

    /// Takes a datagram; returns false if it is not genuine.
    func take(
        _ head: PacedHead, _ datagram: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> Bool {
        latest = now
        guard line.take(head, datagram, at: now) else { return false }
        hear()
        return true
    }

    /// Sends what is due; returns whether there is something for its connection.
    func send(
        by socket: borrowing DatagramSocket, isMute: Bool, by clock: MachineClock
    ) -> Bool {
        latest = clock.now
        repeat {
            line.send(into: batch) { clock.now }
            if isMute { batch.empty() }
        } while socket.send(batch) == .all && line.deadline.map { $0 <= latest } ?? false
        hear()
        return isReady
    }

    private func hear() {
        for change in line.news() {
            switch change {
            // Whoever uses the stream looks for both after each turn.
            case .opened, .content, .room: break
            case .peerFinished, .over(.closed): hasPeerFinished = true
            case .over(.reset), .over(.refused), .over(.silent): isBroken = true
            }
        }
    }

    /// Whether nothing will be sent any more, and no client asks.
    func isGone(at now: Instant) -> Bool {
        guard connection == nil, line.isGone else {
            goneAt = nil
            return false
        }
        let since = goneAt ?? now
        goneAt = since
        return now - since >= Self.lingering
    }
}
