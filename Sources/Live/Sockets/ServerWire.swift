import TransferEngine
import TransferHost

/// What a client's connection consists of: TCP, or a stream of the paced transport.
enum ServerWire: ~Copyable {
    case tcp(TCPStream)
    case paced(PacedServerStream)

    /// The stream of the paced transport, if it is one.
    var paced: PacedServerStream? {
        switch self {
        case .tcp: nil
        case .paced(let stream): stream
        }
    }

    /// What a loop watches; `nil` if it is not its own.
    var descriptor: Int32? {
        switch self {
        case .tcp(let stream): stream.descriptor.number
        case .paced: nil
        }
    }

    /// The client's address.
    var peer: SocketAddress? {
        switch self {
        case .tcp(let stream): stream.peer
        case .paced(let stream): stream.peer
        }
    }

    /// Whether bytes that were taken wait for room in the socket.
    var hasUnsent: Bool {
        switch self {
        case .tcp(let stream): stream.hasUnsent
        case .paced: false
        }
    }

    func receive() -> TCPStream.Received {
        switch self {
        case .tcp(let stream): stream.receive()
        case .paced(let stream): stream.receive()
        }
    }

    /// Sends bytes that were taken, as far as there is room.
    func flush() -> TCPStream.Sent {
        switch self {
        case .tcp(let stream): stream.flush()
        case .paced(let stream): stream.isBroken ? .broken(.reset) : .taken(0)
        }
    }

    /// Sends as many bytes as there is room for. If `more` follow, they may travel together.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool) -> TCPStream.Sent {
        switch self {
        case .tcp(let stream): stream.send(bytes, more: more)
        case .paced(let stream): stream.send(bytes)
        }
    }

    /// Sends as much of a file as there is room for.
    func send(
        _ file: borrowing Descriptor, at offset: UInt64, atMost count: UInt64
    ) -> TCPStream.Sent {
        switch self {
        case .tcp(let stream): stream.send(file, at: offset, atMost: count)
        case .paced(let stream): stream.send(file, at: offset, atMost: count)
        }
    }

    /// Tells the client that nothing more is to come.
    func endSending() {
        switch self {
        case .tcp(let stream): stream.endSending()
        case .paced(let stream): stream.endSending()
        }
    }

    /// Closing will reset the connection.
    func resetWhenClosed() {
        switch self {
        case .tcp(let stream): stream.resetWhenClosed()
        case .paced(let stream): stream.reset()
        }
    }
}
