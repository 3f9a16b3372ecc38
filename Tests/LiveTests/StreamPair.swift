import Glibc
import Quantities
import Testing
import TransferHost

@testable import Live

/// The two ends of a connection over loopback.
final class StreamPair {
    let clock = MachineClock()
    let client: TCPStream
    private let listener: TCPListener
    private var accepted: Accepted?

    /// A box, because only what has an owner of its own can be let go.
    final class Accepted {
        let stream: TCPStream

        init(_ stream: consuming TCPStream) { self.stream = stream }
    }

    struct NobodyCame: Error {}

    init() throws {
        listener = try TCPListener()
        client = try TCPStream(connectingTo: TCPListener.host, port: listener.port)
        let deadline = clock.now + .seconds(10)
        while accepted == nil {
            guard clock.now < deadline else { throw NobodyCame() }
            if let stream = try listener.accept() { accepted = Accepted(stream) }
        }
        try #require(client.connectionError == nil)
    }

    /// The server's end, until it is closed.
    var server: TCPStream {
        _read {
            guard let accepted else { preconditionFailure("the server's end was closed") }
            yield accepted.stream
        }
    }

    func closeServer() { accepted = nil }

    func receive(on stream: borrowing TCPStream) throws -> TCPStream.Received {
        try wait(for: stream)
        return stream.receive()
    }

    /// Waits until there is something to receive.
    func wait(for stream: borrowing TCPStream) throws {
        var poll = pollfd(fd: stream.descriptor.number, events: Int16(POLLIN), revents: 0)
        try #require(Glibc.poll(&poll, 1, 10_000) == 1)
    }
}
