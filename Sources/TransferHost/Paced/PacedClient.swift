package import Glibc
package import Protocols
package import Quantities
package import TransferEngine

/// A client's stream over the paced transport, like one of TCP: a session of its own, or a channel
/// of one. `move` sends and receives the datagrams of the session.
package final class PacedClient {
    private let session: PacedSocket
    private let channel: Int

    /// A file is not read for less.
    private static let leastRoom = 128 << 10

    /// `source` is one of this machine's own addresses.
    package convenience init(
        _ route: PacedRoute, to server: InternetAddress, from source: String? = nil,
        authorization: String, at now: Instant
    ) throws(SystemError) {
        self.init(
            by: try DatagramSocket(connectingTo: server.with(port: route.port), from: source),
            session: route.session,
            PacedKeys(authorization: authorization, client: route.client, server: route.server),
            PacedSettings(route.rate), hasChannels: route.hasChannels, at: now)
    }

    /// Opens a session by a socket that is connected to the server's port.
    package init(
        by socket: consuming DatagramSocket, session: UInt64, _ keys: PacedKeys,
        _ settings: PacedSettings, hasChannels: Bool = false, at now: Instant
    ) {
        self.session = PacedSocket(
            by: socket, session: session, keys, settings, hasChannels: hasChannels, at: now)
        channel = 0
    }

    private init(_ session: PacedSocket, channel: Int) {
        self.session = session
        self.channel = channel
    }

    /// Opens another channel of the session; `nil` if there is none to be had.
    package func openChannel() -> PacedClient? {
        session.openChannel().map { PacedClient(session, channel: $0) }
    }

    // MARK: The stream

    /// The session's socket; `nil` if another channel's host looks after it.
    package var descriptor: Int32? { session.descriptor(for: channel) }

    /// Its own address.
    package var own: SocketAddress { session.own(of: channel) }

    /// What it waits for, if its host looks after the socket.
    package var wanted: pollfd? {
        let events = hasUnsent ? POLLIN | POLLOUT : POLLIN
        return descriptor.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
    }

    /// Goes on with opening.
    package func open() -> TCPStream.Opening {
        if let failure = session.failure(of: channel) { return .failed(failure) }
        return session.isOpen ? .open : .underWay
    }

    package func pace(_ rate: RateWish) { session.trunk.settings = PacedSettings(rate) }

    /// How many bytes are worth writing now.
    package var room: Int {
        let room = session.trunk.room(on: channel)
        return room < Self.leastRoom ? 0 : room
    }

    /// Takes as many bytes as there is room for.
    package func send(_ bytes: UnsafeRawBufferPointer) -> TCPStream.Sent {
        if let failure = session.failure(of: channel) { return .broken(failure) }
        let count = session.trunk.write(bytes, on: channel)
        return count > 0 || bytes.isEmpty ? .taken(count) : .full
    }

    /// Bytes that have left, without repetitions.
    package var transmitted: ByteCount { session.trunk.transmitted(on: channel) }

    package func receive(atMost limit: Int, at now: Instant) -> TCPStream.Received {
        let bytes = session.trunk.read(atMost: limit, on: channel, at: now)
        if !bytes.isEmpty { return .bytes(bytes) }
        if let failure = session.failure(of: channel) { return .broken(failure) }
        return session.hasPeerFinished(channel) ? .end : .nothing
    }

    /// Closes the stream after everything that was written, and drops what still comes. It goes on
    /// until `isGone`.
    package func close() { session.close(channel) }

    /// Breaks the stream off. It tells the peer until `isGone`.
    package func reset(at now: Instant) { session.trunk.breakOff(channel, at: now) }

    /// Whether there is nothing left to send or to wait for, or others look after that.
    package var isGone: Bool { session.isGone }

    // MARK: Datagrams

    /// Whether datagrams wait for room in the socket.
    package var hasUnsent: Bool { session.hasUnsent }

    /// When `move` is to be called although nothing is ready.
    var deadline: Instant? {
        hasToTell ? .start : datagramDeadline
    }

    /// Whether `receive` has something to tell.
    package var hasToTell: Bool {
        session.trunk.hasUnread(on: channel) || session.hasPeerFinished(channel)
            || session.failure(of: channel) != nil
    }

    /// When `move` is to be called once nobody uses the stream any more.
    package var datagramDeadline: Instant? {
        session.descriptor(for: channel) == nil ? nil : session.datagramDeadline
    }

    /// Receives the datagrams that have come, and sends those that are due.
    package func move(by clock: MachineClock) { session.move(by: clock) }
}
