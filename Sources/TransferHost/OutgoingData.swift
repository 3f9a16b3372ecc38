import Glibc
package import Quantities
package import TransferEngine

/// What waits to be sent on a connection: bytes, and parts of files that are read when there is
/// room.
package struct OutgoingData {
    private var waiting: [OutgoingPiece] = []
    /// All bytes that the socket has taken.
    package private(set) var taken = ByteCount.zero

    /// Why sending stopped for good.
    package enum Failure: Error {
        case broken(Disconnection)
        /// The source cannot be read any more, or is not what it was.
        case unreadable(found: SourceInspection)
    }

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }

    package mutating func append(_ pieces: [OutgoingPiece]) { waiting += pieces }

    /// Sends at most so many bytes of the first piece. Returns how many were taken; `nil` if there
    /// is no room.
    package mutating func send(
        atMost limit: Int, filesBelow folder: String, mayRead: Bool = true,
        by send: (UnsafeRawBufferPointer) -> TCPStream.Sent
    ) throws(Failure) -> Int? {
        guard let piece = waiting.first, limit > 0 else { return 0 }
        let result: TCPStream.Sent
        switch piece {
        case .bytes(let bytes): result = bytes.prefix(limit).withUnsafeBytes { send($0) }
        case .credential: preconditionFailure("a secret was not filled in")
        case .file(let path, let offset, let length, let known):
            let place = folder + "/" + path
            let count = min(limit, Int(clamping: length.bytes))
            let bytes = mayRead ? Self.bytes(ofFileAt: place, known, at: offset, count) : nil
            guard let bytes else {
                throw .unreadable(found: SourceInspection(ofFileAt: place))
            }
            result = bytes.withUnsafeBytes { send($0) }
        }
        switch result {
        case .full: return nil
        case .broken(let why): throw .broken(why)
        case .taken(let count):
            advance(by: count)
            return count
        }
    }

    /// Reads a part of a file now: an edit must not be overtaken by old bytes. `nil` if the file
    /// has changed.
    private static func bytes(
        ofFileAt path: String, _ known: SourceFingerprint, at offset: ByteCount, _ count: Int
    ) -> [UInt8]? {
        do throws(SystemError) {
            let file = try Descriptor(opening: path, O_RDONLY)
            let bytes = try file.bytes(atMost: count, at: offset.bytes)
            guard !bytes.isEmpty, SourceFingerprint(try file.status()) == known else { return nil }
            return bytes
        } catch {
            return nil
        }
    }

    private mutating func advance(by count: Int) {
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
}
