package import Glibc
package import Protocols
package import Quantities
package import TransferEngine

/// The client's end of a session over the paced transport, on a socket of its own: a stream like
/// one of TCP, whose datagrams `move` sends and receives.
package final class PacedClient {
    private let socket: DatagramSocket
    private var line: PacedLine
    private let batch = DatagramBatch()
    private let inbox = DatagramInbox()
    private var isOpen = false
    private var hasPeerFinished = false
    private var failure: Disconnection?

    /// The most that is received before others have their turn.
    private static let receptionsPerTurn = 16
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
            PacedSettings(route.rate), at: now)
    }

    /// Opens a session by a socket that is connected to the server's port.
    package init(
        by socket: consuming DatagramSocket, session: UInt64, _ keys: PacedKeys,
        _ settings: PacedSettings, at now: Instant
    ) {
        line = PacedLine(
            keys, session: session, at: .client, settings, overIPv6: socket.isIPv6, at: now)
        self.socket = socket
    }

    // MARK: The stream

    package var descriptor: Int32 { socket.descriptor.number }

    /// Its own address.
    package var own: SocketAddress { SocketAddress(of: socket.descriptor, isOfDatagrams: true) }

    /// What it waits for.
    package var wanted: pollfd {
        let events = hasUnsent ? POLLIN | POLLOUT : POLLIN
        return pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    /// Goes on with opening.
    package func open() -> TCPStream.Opening {
        if let failure { return .failed(failure) }
        return isOpen ? .open : .underWay
    }

    package func pace(_ rate: RateWish) { line.settings = PacedSettings(rate) }

    /// How many bytes are worth writing now.
    package var room: Int { line.room < Self.leastRoom ? 0 : line.room }

    /// Takes as many bytes as there is room for.
    package func send(_ bytes: UnsafeRawBufferPointer) -> TCPStream.Sent {
        if let failure { return .broken(failure) }
        let count = line.write(bytes)
        return count > 0 || bytes.isEmpty ? .taken(count) : .full
    }

    /// Bytes that have left, without repetitions.
    package var transmitted: ByteCount { line.transmitted }

    package func receive(atMost limit: Int, at now: Instant) -> TCPStream.Received {
        let bytes = line.read(atMost: limit, at: now)
        if !bytes.isEmpty { return .bytes(bytes) }
        if let failure { return .broken(failure) }
        return hasPeerFinished ? .end : .nothing
    }

    /// Closes the stream after everything that was written, and drops what still comes. It goes on
    /// until `isGone`.
    package func close() {
        line.finish()
        line.ignore()
    }

    /// Breaks the stream off. It tells the peer until `isGone`.
    package func reset(at now: Instant) { line.abort(at: now) }

    /// Whether there is nothing left to send or to wait for.
    package var isGone: Bool { line.isGone }

    // MARK: Datagrams

    /// Whether datagrams wait for room in the socket.
    package var hasUnsent: Bool { !batch.isEmpty }

    /// When `move` is to be called although nothing is ready.
    var deadline: Instant? {
        hasToTell ? .start : datagramDeadline
    }

    /// Whether `receive` has something to tell.
    package var hasToTell: Bool { line.hasUnread || hasPeerFinished || failure != nil }

    /// When `move` is to be called once nobody uses the stream any more.
    package var datagramDeadline: Instant? { hasUnsent ? nil : line.deadline }

    /// Receives the datagrams that have come, and sends those that are due.
    package func move(by clock: MachineClock) {
        var wasRefused = false
        reception: for _ in 0..<Self.receptionsPerTurn {
            switch socket.receive(into: inbox) {
            case .nothing: break reception
            case .refused: wasRefused = true
            case .datagrams:
                let now = clock.now
                inbox.forEach { datagram, _ in
                    guard let head = PacedHead(UnsafeRawBufferPointer(datagram)) else { return }
                    _ = line.take(head, datagram, at: now)
                }
            }
        }
        if !send(by: clock) { wasRefused = true }
        if wasRefused { hear(line.wasRefused()) }
        hear(line.news())
    }

    /// Sends what is due; returns false if nobody listens at the other end.
    private func send(by clock: MachineClock) -> Bool {
        let now = clock.now
        repeat {
            line.send(into: batch) { clock.now }
            switch socket.send(batch) {
            case .all: break
            case .full: return true
            case .refused: return false
            }
        } while line.deadline.map { $0 <= now } ?? false
        return true
    }

    private func hear(_ news: [PacedEnd.News]) {
        for change in news {
            switch change {
            case .opened: isOpen = true
            // Whoever uses the stream looks for both after each move.
            case .content, .room: break
            case .peerFinished: hasPeerFinished = true
            case .over(.closed): hasPeerFinished = true
            case .over(.reset): failure = .reset
            case .over(.refused): failure = .refused
            case .over(.silent): failure = .timedOut
            }
        }
    }
}
