import DocrootServer
import Quantities
import TransferHost

/// A client's connection on the server's side.
///
///     open ──▶ closing (all is sent, the client has yet to finish) ──▶ gone
final class ServerConnection {
    let id: ServerConnectionID
    let wire: ServerWire
    let source: EventLoop.Source
    private(set) var received = ByteCount.zero
    private var outgoing: ArraySlice<Piece> = []
    /// Bytes of waiting answers; bodies are not in memory.
    private var unread = 0
    /// Whether the server wants no more data for now.
    var isHeld = false
    private(set) var state = State.open

    enum State: Hashable {
        case open
        /// Everything was sent. Until the client closes, or the deadline, incoming data is thrown
        /// away. Closing at once would reset the connection and destroy the answer.
        case closing(until: Instant)
    }

    init(
        id: ServerConnectionID, over wire: consuming ServerWire,
        kind: EventLoop.Source.Kind = .serverConnection
    ) {
        self.id = id
        source = EventLoop.Source(kind: kind, number: id.number)
        self.wire = wire
    }

    private var owesDrained = false

    /// A client that never reads its answers would fill the memory.
    private static let unreadLimit = 256 * 1024

    /// Its address.
    var client: SocketAddress? { wire.peer }

    /// The stream of the paced transport that it is, if it is one.
    var paced: PacedServerStream? { wire.paced }

    /// Whether nothing is read from the client for now.
    var isDeaf: Bool { isHeld || unread > Self.unreadLimit }

    private enum Piece {
        case bytes(ArraySlice<UInt8>)
        case body(OpenFile, at: UInt64, end: UInt64)
    }

    /// Whether anything waits to be sent.
    var hasWaiting: Bool { !outgoing.isEmpty }

    func send(_ bytes: [UInt8]) {
        outgoing.append(.bytes(bytes[...]))
        unread += bytes.count
    }

    func send(_ body: OpenFile, at offset: UInt64, length: UInt64) {
        outgoing.append(.body(body, at: offset, end: offset + length))
        owesDrained = true
    }

    /// Whether a body was sent completely; told once.
    func takeDrained() -> Bool {
        guard owesDrained, outgoing.isEmpty else { return false }
        owesDrained = false
        return true
    }

    func close(by deadline: Instant) {
        guard state == .open else { return }
        state = .closing(until: deadline)
        if outgoing.isEmpty, !wire.hasUnsent { wire.endSending() }
    }

    func receive() -> TCPStream.Received {
        let result = wire.receive()
        if case .bytes(let bytes) = result { received += ByteCount(UInt64(bytes.count)) }
        return result
    }

    /// Sends as much as there is room for. Returns false if the connection is broken.
    func flush() -> Bool {
        if case .broken = wire.flush() { return false }
        while let piece = outgoing.popFirst() {
            let result: TCPStream.Sent
            let rest: (Int) -> Piece?
            switch piece {
            case .bytes(let bytes):
                // A head travels with the bytes that follow it.
                result = bytes.withUnsafeBytes { wire.send($0, more: !outgoing.isEmpty) }
                if case .taken(let count) = result { unread -= count }
                rest = { $0 < bytes.count ? .bytes(bytes.dropFirst($0)) : nil }
            case .body(let body, let offset, let end):
                result = wire.send(body.descriptor, at: offset, atMost: end - offset)
                rest = { count in
                    let next = offset + UInt64(count)
                    return next < end ? .body(body, at: next, end: end) : nil
                }
            }
            switch result {
            case .taken(let count): if let rest = rest(count) { outgoing = [rest] + outgoing }
            case .full:
                outgoing = [piece] + outgoing
                return true
            case .broken: return false
            }
        }
        if case .closing = state, !wire.hasUnsent { wire.endSending() }
        return true
    }

    var interest: EventLoop.Interest {
        var interest: EventLoop.Interest = isDeaf ? [] : .readable
        if !outgoing.isEmpty || wire.hasUnsent { interest.insert(.writable) }
        return interest
    }
}

/// A loop watches the connections that have a socket of their own.
extension EventLoop {
    func watch(_ connection: ServerConnection) throws(SystemError) {
        guard let descriptor = connection.wire.descriptor else { return }
        try watch(descriptor, as: connection.source, for: .readable)
    }

    /// Watches for what the connection waits for now.
    func change(_ connection: ServerConnection) throws(SystemError) {
        guard let descriptor = connection.wire.descriptor else { return }
        try change(descriptor, as: connection.source, to: connection.interest)
    }

    func forget(_ connection: ServerConnection) {
        if let descriptor = connection.wire.descriptor { forget(descriptor) }
    }
}
