import Glibc
import Quantities
import Testing
import TransferHost

@testable import Live

/// The two ends of a connection over loopback, plain or with TLS.
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

    convenience init(isSecured: Bool = false) throws {
        guard isSecured else {
            try self.init(nil, nil, as: TCPListener.host)
            return
        }
        let folder = try RunDirectory()
        let identity = ServerIdentity(in: folder.path)
        try identity.make(for: [TCPListener.host], names: [])
        try self.init(
            .server(as: identity), .client(trusting: identity.certificate), as: TCPListener.host)
    }

    /// The client expects a server of this name.
    init(_ server: SecureContext?, _ client: SecureContext?, as name: String) throws {
        listener = try TCPListener(securedBy: server)
        self.client = try TCPStream(
            connectingTo: TCPListener.host, port: listener.port,
            securedBy: client.map { TCPStream.Security($0, to: name) })
        let deadline = clock.now + .seconds(10)
        while opening == .underWay || accepted == nil {
            guard clock.now < deadline else { throw NobodyCame() }
            if accepted == nil, let stream = try listener.accept() { accepted = Accepted(stream) }
            if opening == .underWay { opening = self.client.open() }
            // The server's end shakes hands as it reads.
            if opening == .underWay { _ = accepted?.stream.receive() }
        }
    }

    /// How the client's opening ended.
    private(set) var opening = TCPStream.Opening.underWay

    /// The server's end, until it is closed.
    var server: TCPStream {
        _read {
            guard let accepted else { preconditionFailure("the server's end was closed") }
            yield accepted.stream
        }
    }

    func closeServer() { accepted = nil }

    /// Returns what comes next. Records without content are nothing.
    func receive(on stream: borrowing TCPStream) throws -> TCPStream.Received {
        while true {
            try wait(for: stream)
            let received = stream.receive()
            if received != .nothing { return received }
        }
    }

    /// Waits until there is something to receive.
    func wait(for stream: borrowing TCPStream) throws {
        var poll = pollfd(fd: stream.descriptor.number, events: Int16(POLLIN), revents: 0)
        try #require(Glibc.poll(&poll, 1, 10_000) == 1)
    }
}
