import Device
import Glibc
import Quantities
import TransferEngine

/// A connection of a process on a phone: what waits to be sent, and how much its stream has taken.
final class ProcessConnection {
    let id: ConnectionID
    /// On which interface it stays, whatever becomes of that.
    let interface: UInt16
    let account: Account
    /// Paths of files that are sent are relative to it.
    private let folder: String
    private let disk: SharedDisk?
    /// `nil`: its interface was not there yet, and it goes on asking.
    private var stream: TCPStream?
    private(set) var isEstablished = false
    /// Not at a captive portal's.
    private(set) var isAtServer = true
    /// Nothing passes any more.
    var cut: Cut?
    /// Something has come that nobody has looked at.
    var hasArrived = false
    /// Whether the loop hears of it.
    var isWatched = false
    private(set) var taken = ByteCount.zero
    /// The socket had no room when it was last tried.
    private(set) var isFull = false
    private var waiting: [OutgoingPiece] = []

    enum Cut: Hashable, Sendable {
        case inSilence
        /// Who sends on is told so.
        case answeredByReset
    }

    /// Why sending stopped for good.
    enum Failure: Error {
        case broken(Disconnection)
        /// The source cannot be read any more where it could be read before.
        case unreadable
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

    /// Begins to connect, to another port than the account's if a portal is in the way.
    /// What comes is held up by the system where it `isPaced`, and not all taken at once.
    func dial(from address: String?, port: UInt16?, isPaced: Bool) throws(SystemError) {
        stream = try TCPStream(
            connectingTo: account.host, port: port ?? account.port, from: address,
            receiveBuffer: isPaced ? Self.receiveBuffer : nil)
        isAtServer = port == nil
    }

    /// What has come, as long as there is some more.
    func receive(atMost limit: Int) -> TCPStream.Received {
        let received = stream?.receive(atMost: min(limit, Self.slice)) ?? .nothing
        if case .bytes = received { return received }
        hasArrived = false
        return received
    }

    /// Its socket, once there is one.
    var descriptor: Int32? {
        switch stream {
        case .some(let stream): stream.descriptor.number
        case nil: nil
        }
    }

    /// Once it is writable: why there is no connection, or `nil` if there is one.
    var connectionError: Disconnection? {
        switch stream {
        case .some(let stream): stream.connectionError
        case nil: nil
        }
    }

    /// This end of it.
    var own: SocketAddress? {
        switch stream {
        case .some(let stream): stream.own
        case nil: nil
        }
    }

    /// How much of what was sent has left the system.
    var transmitted: ByteCount {
        switch stream {
        case .some(let stream): taken - min(stream.unsent, taken)
        case nil: .zero
        }
    }

    func established() { isEstablished = true }

    func roomAgain() { isFull = false }

    func write(_ pieces: [OutgoingPiece]) { waiting += pieces }

    var hasWork: Bool { isEstablished && !isFull && !waiting.isEmpty }

    /// Sends at most so many bytes; how many were taken.
    func send(atMost limit: Int) throws(Failure) -> Int {
        guard let piece = waiting.first, limit > 0 else { return 0 }
        let result: TCPStream.Sent
        switch piece {
        case .bytes(let bytes):
            let count = min(limit, Self.slice)
            result = bytes.prefix(count).withUnsafeBytes { stream?.send($0) ?? .full }
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
    /// What others on the same link wait for at most.
    private static let slice = 16 * 1024

    /// The file is read when it is sent, not before: an edit must not be overtaken by old bytes.
    /// Only what was read before somebody wrote to the file is sent.
    private func sendFile(
        _ path: String, _ known: SourceFingerprint, at offset: ByteCount, _ count: Int
    ) throws(Failure) -> TCPStream.Sent {
        guard disk.permits(.read) else { throw .unreadable }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
        defer { buffer.deallocate() }
        var filled = 0
        var status = stat()
        do throws(SystemError) {
            let file = try Descriptor(opening: path, O_RDONLY)
            filled = try file.read(into: buffer, at: offset.bytes)
            guard fstat(file.number, &status) == 0 else { throw SystemError("look at \(path)") }
        } catch {
            throw .unreadable
        }
        guard filled > 0, SourceFingerprint(status) == known else { throw .unreadable }
        return stream?.send(UnsafeRawBufferPointer(rebasing: buffer[..<filled])) ?? .full
    }

    private func advance(by count: Int) {
        taken += ByteCount(UInt64(count))
        switch waiting[0] {
        case .bytes(let bytes):
            let rest = bytes.dropFirst(count)
            if rest.isEmpty { waiting.removeFirst() } else { waiting[0] = .bytes(Array(rest)) }
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

    /// What has come is not to come again.
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
        let modified = status.st_mtim
        self.init(
            size: ByteCount(UInt64(status.st_size)),
            modified: UInt64(modified.tv_sec) * 1_000_000_000 + UInt64(modified.tv_nsec))
    }
}
