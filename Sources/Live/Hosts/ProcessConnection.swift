import Device
import Glibc
import Quantities
import TransferEngine
import TransferHost

/// A connection of a process on a phone: data that waits to be sent, and how much was taken.
final class ProcessConnection {
    let id: ConnectionID
    /// The interface, which never changes.
    let interface: UInt16
    let account: Account
    /// Files that are sent are below it.
    private let folder: String
    private let disk: SharedDisk?
    /// `nil`: its interface was not up yet, and it tries again.
    private var stream: TCPStream?
    /// The stream of the paced transport that it is, if it is one.
    let paced: PacedClient?
    private(set) var isEstablished = false
    /// Whether the server is the peer, not a captive portal.
    private(set) var isAtServer = true
    /// Set once nothing passes any more.
    var cut: Cut?
    /// Whether data waits to be read.
    var hasArrived = false
    /// Whether the loop watches it.
    var isWatched = false
    /// Whether the socket had no room at the last try.
    private(set) var isFull = false
    private var outgoing = OutgoingData()

    enum Cut: Hashable, Sendable {
        case inSilence
        /// A sender gets a reset.
        case answeredByReset
    }

    init(
        id: ConnectionID, over interface: UInt16, to account: Account, from folder: String,
        on disk: SharedDisk?, by paced: PacedClient? = nil
    ) {
        self.disk = disk
        self.paced = paced
        self.folder = folder
        self.id = id
        self.interface = interface
        self.account = account
    }

    /// Begins to connect, or to a portal's port. If it `isPaced`, the system's buffer holds
    /// incoming data up.
    func dial(
        from address: String?, port: UInt16?, isPaced: Bool, securedBy security: SecureContext?
    ) throws(SystemError) {
        stream = try TCPStream(
            connectingTo: account.host, port: port ?? account.port, from: address,
            receiveBuffer: isPaced ? Self.receiveBuffer : nil,
            securedBy: security.map { .init($0, to: account.host) })
        isAtServer = port == nil
    }

    /// Receives data that has come.
    func receive(atMost limit: Int, at now: Instant) -> TCPStream.Received {
        let slice = min(limit, Self.slice)
        let received =
            paced?.receive(atMost: slice, at: now) ?? stream?.receive(atMost: slice) ?? .nothing
        if case .bytes = received { return received }
        hasArrived = false
        return received
    }

    /// Its socket, if it has one.
    var descriptor: Int32? { paced?.descriptor ?? stream?.descriptor.number }

    /// Goes on with opening, once the socket is ready for what it waits for.
    func open() -> TCPStream.Opening { paced?.open() ?? stream?.open() ?? .underWay }

    /// Whether its TLS has begun.
    var isSecuring: Bool { stream?.hasBegunTLS ?? false }

    /// Its own address.
    var own: SocketAddress? { paced?.own ?? stream?.own }

    /// The address of the server, once there is one.
    var server: InternetAddress? { stream?.server }

    /// The number of bytes that have left this machine.
    var transmitted: ByteCount {
        paced?.transmitted ?? taken - min(stream?.unsent ?? .zero, taken)
    }

    /// Closing will reset the connection and drop unsent data.
    func resetWhenClosed(at now: Instant) {
        paced?.reset(at: now)
        stream?.resetWhenClosed()
    }

    func established() { isEstablished = true }

    /// Moves the datagrams of the paced transport.
    func movePaced(by clock: MachineClock) {
        guard let paced else { return }
        paced.move(by: clock)
        hasArrived = isEstablished && paced.hasToTell
        isFull = paced.room == 0
    }

    /// Sends what the stream has taken; there is room for more then.
    func roomAgain() {
        isFull = false
        _ = stream?.flush()
    }

    func write(_ pieces: [OutgoingPiece]) { outgoing.append(pieces) }

    var taken: ByteCount { outgoing.taken }

    var hasWork: Bool { isEstablished && !isFull && !outgoing.isEmpty }

    /// Sends at most this many bytes. Returns how many were taken.
    func send(atMost limit: Int) throws(OutgoingData.Failure) -> Int {
        guard paced?.room != 0,
            let sent = try outgoing.send(
                atMost: min(limit, Self.slice), filesBelow: folder, mayRead: disk.permits(.read),
                by: { paced?.send($0) ?? stream?.send($0) ?? .full })
        else {
            isFull = true
            return 0
        }
        return sent
    }

    private static let receiveBuffer: Int32 = 128 * 1024
    /// The most that others on the same link wait for.
    private static let slice = 16 * 1024

    var source: EventLoop.Source { .init(kind: .processConnection, number: id.number) }

    /// Data that waits to be read is not reported again. Datagrams are always read.
    var interest: EventLoop.Interest {
        var interest: EventLoop.Interest = hasArrived ? [] : .readable
        if let paced { return paced.hasUnsent ? [.readable, .writable] : .readable }
        let isConnecting = !isEstablished && !isSecuring
        if isFull || isConnecting || stream?.hasUnsent == true { interest.insert(.writable) }
        return interest
    }
}
