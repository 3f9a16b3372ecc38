import Glibc
import Quantities
import TransferEngine

/// A connection of the app: what waits to be sent, and how much its stream has taken.
final class AppConnection {
    let id: ConnectionID
    let stream: TCPStream
    private(set) var isEstablished = false
    private(set) var taken = ByteCount.zero
    /// The socket had no room when it was last tried.
    private(set) var isFull = false
    private var waiting: [OutgoingPiece] = []

    /// Why sending stopped for good.
    enum Failure: Error {
        case broken(Disconnection)
        /// The source cannot be read any more where it could be read before.
        case unreadable
    }

    init(id: ConnectionID, stream: consuming TCPStream) {
        self.id = id
        self.stream = stream
    }

    func established() { isEstablished = true }

    func roomAgain() { isFull = false }

    func write(_ pieces: [OutgoingPiece]) { waiting += pieces }

    var hasWork: Bool { isEstablished && !isFull && !waiting.isEmpty }

    /// Sends at most so many bytes; how many were taken.
    func send(atMost limit: Int, from container: String) throws(Failure) -> Int {
        guard let piece = waiting.first, limit > 0 else { return 0 }
        let result: TCPStream.Sent
        switch piece {
        case .bytes(let bytes):
            result = bytes.prefix(limit).withUnsafeBytes { stream.send($0) }
        case .file(let path, let offset, let length, let known):
            let count = min(limit, Self.slice, Int(clamping: length.bytes))
            result = try sendFile(container + "/" + path, known, at: offset, count)
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

    private static let slice = 64 * 1024

    /// The file is read when it is sent, not before: an edit must not be overtaken by old bytes.
    /// Only what was read before somebody wrote to the file is sent.
    private func sendFile(
        _ path: String, _ known: SourceFingerprint, at offset: ByteCount, _ count: Int
    ) throws(Failure) -> TCPStream.Sent {
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
        return stream.send(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
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

    var source: EventLoop.Source { .init(kind: .appConnection, number: id.number) }

    var interest: EventLoop.Interest {
        isFull || !isEstablished ? [.readable, .writable] : .readable
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
