import Content
import Quantities
import TransferEngine

/// An app's end of a stream: output of the engine, and how much of it the stack has taken.
///
/// Like `sendfile`, it reads a file only when the stack has room.
struct VirtualConnection: Sendable {
    let handle: StreamHandle
    /// The app that owns the files.
    let app: AppIdentity
    var pending: [OutgoingPiece] = []
    private(set) var taken = ByteCount.zero

    /// New total of bytes taken, if it grew, and what was found of a file that could not be read as
    /// expected.
    struct Pumped {
        var taken: ByteCount?
        var unreadable: SourceInspection?
    }

    /// Moves as many bytes as the stack has room for.
    mutating func pump(in environment: inout ProcessEnvironment) -> Pumped {
        let before = taken
        var room = environment.network.room(handle)
        while let piece = pending.first, room > .zero {
            let count = min(piece.length, room)
            guard let (segment, rest) = piece.cut(at: count, reading: environment[filesOf: app])
            else {
                pending = []
                return Pumped(
                    taken: taken > before ? taken : nil,
                    unreadable: environment[filesOf: app].inspect(piece.path ?? ""))
            }
            pending[0] = rest
            if pending[0].length == .zero { pending.removeFirst() }
            environment.network.send(handle, [segment])
            taken += count
            room = room - count
        }
        return Pumped(taken: taken > before ? taken : nil)
    }
}

extension OutgoingPiece {
    fileprivate var path: String? {
        if case .file(let path, _, _, _) = self { path } else { nil }
    }

    /// Reads the first `count` bytes and returns the unread rest; `nil` if the file has changed.
    fileprivate func cut(
        at count: ByteCount, reading container: VirtualContainer
    ) -> (Segment, OutgoingPiece)? {
        switch self {
        case .bytes(let bytes):
            let cut = Int(count.bytes)
            return (.bytes(Array(bytes[..<cut])), .bytes(Array(bytes[cut...])))
        case .credential: preconditionFailure("a secret was not filled in")
        case .file(let path, let offset, let length, let known):
            guard
                let range = container.content(
                    of: path, known: known, offset: offset, length: count)
            else { return nil }
            let rest = OutgoingPiece.file(
                path: path, offset: offset + count, length: length - count, known: known)
            return (.content(range), rest)
        }
    }
}
