import Device
import Glibc
import Quantities
import TransferEngine

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
    private(set) var isEstablished = false
    /// Whether the server is the peer, not a captive portal.
    private(set) var isAtServer = true
    /// Set once nothing passes any more.
    var cut: Cut?
    /// Whether data waits to be read.
    var hasArrived = false
    /// Whether the loop watches it.
    var isWatched = false
    private(set) var taken = ByteCount.zero
    /// Whether the socket had no room at the last try.
    private(set) var isFull = false
    private var waiting: [OutgoingPiece] = []

    enum Cut: Hashable, Sendable {
        case inSilence
        /// A sender gets a reset.
        case answeredByReset
    }

    /// Why sending stopped for good.
    enum Failure: Error {
        case broken(Disconnection)
        /// The source cannot be read any more, or is not what it was.
        case unreadable(found: SourceInspection)
    }

    init(
        id: ConnectionID, over interface: UInt16, to account: Account, from folder: String,
        on disk: SharedDisk?
    ) {
        self.disk = disk
        self.folder = folder
        self.id = id
        self.interface = interface
        self.account = account
    }

    /// Begins to connect, or to a portal's port. If it `isPaced`, the system's buffer holds
    /// incoming data up.
    func dial(from address: String?, port: UInt16?, isPaced: Bool) throws(SystemError) {
        stream = try TCPStream(
            connectingTo: account.host, port: port ?? account.port, from: address,
            receiveBuffer: isPaced ? Self.receiveBuffer : nil)
        isAtServer = port == nil
    }

    /// Receives data that has come.
    func receive(atMost limit: Int) -> TCPStream.Received {
        let received = stream?.receive(atMost: min(limit, Self.slice)) ?? .nothing
        if case .bytes = received { return received }
        hasArrived = false
        return received
    }

    /// Its socket, if it has one.
    var descriptor: Int32? { stream?.descriptor.number }

    /// Once it is writable: why connecting failed, or `nil`.
    var connectionError: Disconnection? { stream?.connectionError }

    /// Its own address.
    var own: SocketAddress? { stream?.own }

    /// The number of bytes that have left this machine.
    var transmitted: ByteCount { taken - min(stream?.unsent ?? .zero, taken) }

    /// Closing will reset the connection and drop unsent data.
    func resetWhenClosed() { stream?.resetWhenClosed() }

    func established() { isEstablished = true }

    func roomAgain() { isFull = false }

    func write(_ pieces: [OutgoingPiece]) { waiting += pieces }

    var hasWork: Bool { isEstablished && !isFull && !waiting.isEmpty }

    /// Sends at most this many bytes. Returns how many were taken.
    func send(atMost limit: Int) throws(Failure) -> Int {
        guard let piece = waiting.first, limit > 0 else { return 0 }
        let result: TCPStream.Sent
        switch piece {
        case .bytes(let bytes):
            let count = min(limit, Self.slice)
            result = bytes.prefix(count).withUnsafeBytes { stream?.send($0) ?? .full }
        case .credential: preconditionFailure("a secret was not filled in")
        case .file(let path, let offset, let length, let known):
            let count = min(limit, Self.slice, Int(clamping: length.bytes))
            result = try sendFile(folder + "/" + path, known, at: offset, count)
        }
        switch result {
        case .full:
            isFull = true
            return 0
        case .broken(let why): throw .broken(why)
        case .taken(let count):
            advance(by: count)
            return count
        }
    }

    private static let receiveBuffer: Int32 = 128 * 1024
    /// The most that others on the same link wait for.
    private static let slice = 16 * 1024

    /// Sends a part of a file, which is read now: an edit must not be overtaken by old bytes. Sends
    /// nothing if the file has changed.
    private func sendFile(
        _ path: String, _ known: SourceFingerprint, at offset: ByteCount, _ count: Int
    ) throws(Failure) -> TCPStream.Sent {
        guard disk.permits(.read) else {
            throw .unreadable(found: SourceInspection(ofFileAt: path))
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try Descriptor(opening: path, O_RDONLY)
            bytes = try file.bytes(atMost: count, at: offset.bytes)
            guard !bytes.isEmpty, SourceFingerprint(try file.status()) == known else {
                throw SystemError("read \(path) as it was", code: ESTALE)
            }
        } catch {
            throw .unreadable(found: SourceInspection(ofFileAt: path))
        }
        return bytes.withUnsafeBytes { stream?.send($0) ?? .full }
    }

    private func advance(by count: Int) {
        taken += ByteCount(UInt64(count))
        switch waiting[0] {
        case .bytes(let bytes):
            let rest = bytes.dropFirst(count)
            if rest.isEmpty { waiting.removeFirst() } else { waiting[0] = .bytes(Array(rest)) }
        case .credential: preconditionFailure("a secret was sent")
        case .file(let path, let offset, let length, let known):
            let count = ByteCount(UInt64(count))
            if count == length {
                waiting.removeFirst()
            } else {
                waiting[0] = .file(
                    path: path, offset: offset + count, length: length - count, known: known)
            }
        }
    }

    var source: EventLoop.Source { .init(kind: .processConnection, number: id.number) }

    /// Data that waits to be read is not reported again.
    var interest: EventLoop.Interest {
        var interest: EventLoop.Interest = hasArrived ? [] : .readable
        if isFull || !isEstablished { interest.insert(.writable) }
        return interest
    }
}

extension SourceInspection {
    init(ofFileAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .missing
            return
        }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        self = isFile ? .regularFile(SourceFingerprint(status)) : .notARegularFile
    }
}

extension SourceFingerprint {
    init(_ status: stat) {
        self.init(
            size: ByteCount(UInt64(status.st_size)), modified: Self.nanoseconds(status.st_mtim),
            changed: Self.nanoseconds(status.st_ctim))
    }

    private static func nanoseconds(_ time: timespec) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
