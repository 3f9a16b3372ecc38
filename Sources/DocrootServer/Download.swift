import Quantities

/// An object on its way to a reader.
struct Download: Hashable, Sendable {
    let body: BodyID
    let object: ObjectPath
    /// A publication under its name ends it (K8); otherwise the reader gets the rest of the old
    /// body.
    let breaksWhenReplaced: Bool
    /// What is still to be sent.
    var pieces: ArraySlice<Piece>
    /// Where the part began that was handed to the world last.
    var reached = ByteCount.zero
    /// The connection ends with it.
    var isLast = false

    enum Piece: Hashable, Sendable {
        /// What stands between the parts of an answer.
        case bytes([UInt8])
        case part(at: ByteCount, length: ByteCount)
    }

    /// Takes off the next piece, a block at most.
    mutating func next() -> Piece? {
        guard let first = pieces.popFirst() else { return nil }
        guard case .part(let offset, let length) = first else { return first }
        reached = offset
        guard length > ServerSettings.block else { return first }
        let rest = Piece.part(
            at: offset + ServerSettings.block, length: length - ServerSettings.block)
        pieces = [rest] + pieces
        return .part(at: offset, length: ServerSettings.block)
    }
}
