import DocrootServer
import Quantities

/// A client's connection, on the server's side: what waits to be sent, and how far it is closed.
///
///     open ──▶ closing (all is sent, the client has yet to finish) ──▶ gone
final class ServerConnection {
    let id: ServerConnectionID
    let stream: TCPStream
    private(set) var received = ByteCount.zero
    private var outgoing: ArraySlice<UInt8> = []
    private(set) var state = State.open

    enum State: Hashable {
        case open
        /// The server has said all: until the client ends as well, or the deadline, what it still
        /// sends is thrown away. Closing at once would reset the connection and destroy the answer.
        case closing(until: Instant)
    }

    init(id: ServerConnectionID, stream: consuming TCPStream) {
        self.id = id
        self.stream = stream
    }

    func send(_ bytes: [UInt8]) { outgoing += bytes }

    func close(by deadline: Instant) {
        guard state == .open else { return }
        state = .closing(until: deadline)
        if outgoing.isEmpty { stream.endSending() }
    }

    func receive() -> TCPStream.Received {
        let result = stream.receive()
        if case .bytes(let bytes) = result { received += ByteCount(UInt64(bytes.count)) }
        return result
    }

    /// Sends what there is room for; false if the connection is broken.
    func flush() -> Bool {
        while !outgoing.isEmpty {
            switch outgoing.withUnsafeBytes({ stream.send($0) }) {
            case .taken(let count): outgoing = outgoing.dropFirst(count)
            case .full: return true
            case .broken: return false
            }
        }
        if case .closing = state { stream.endSending() }
        return true
    }

    var source: EventLoop.Source { .init(kind: .serverConnection, number: id.number) }

    var interest: EventLoop.Interest { outgoing.isEmpty ? .readable : [.readable, .writable] }
}
