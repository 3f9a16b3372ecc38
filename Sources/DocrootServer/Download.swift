import Quantities

/// An object that is being sent to a reader.
struct Download: Hashable, Sendable {
    let body: BodyID
    let object: ObjectPath
    /// Whether a publication under its name ends it (K8). If not, the reader gets the rest of the
    /// old body.
    let breaksWhenReplaced: Bool
    /// Pieces that are still to be sent.
    var pieces: ArraySlice<Piece>
    /// The offset of the last part that was handed to the world.
    private(set) var reached = ByteCount.zero
    /// The size of the whole object.
    let size: ByteCount
    /// Whether the connection ends with it.
    var isLast = false

    enum Piece: Hashable, Sendable {
        /// Bytes between the parts of an answer.
        case bytes([UInt8])
        case part(at: ByteCount, length: ByteCount)

        var length: ByteCount {
            switch self {
            case .bytes(let bytes): ByteCount(UInt64(bytes.count))
            case .part(_, let length): length
            }
        }

        func split(at count: ByteCount) -> (Piece, Piece) {
            switch self {
            case .bytes(let bytes):
                (
                    .bytes(Array(bytes.prefix(Int(count.bytes)))),
                    .bytes(Array(bytes.dropFirst(Int(count.bytes))))
                )
            case .part(let offset, let length):
                (
                    .part(at: offset, length: count),
                    .part(at: offset + count, length: length - count)
                )
            }
        }

        /// Returns the piece in parts that have at most `limit`.
        func parts(atMost limit: ByteCount) -> [Piece] {
            var parts: [Piece] = []
            var rest = self
            while rest.length > limit {
                let (first, later) = rest.split(at: limit)
                parts.append(first)
                rest = later
            }
            return rest.length > .zero ? parts + [rest] : parts
        }
    }

    /// Removes and returns the next piece, which has at most `limit`.
    mutating func next(atMost limit: ByteCount) -> Piece? {
        guard let first = pieces.popFirst() else { return nil }
        if case .part(let offset, _) = first { reached = offset }
        guard first.length > limit else { return first }
        let (now, later) = first.split(at: limit)
        pieces = [later] + pieces
        return now
    }
}
