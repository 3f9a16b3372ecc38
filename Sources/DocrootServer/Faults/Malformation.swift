import Protocols
import Quantities

/// A way in which an answer is not HTTP (RFC 9112).
package enum Malformation: String, Hashable, Sendable, CaseIterable {
    case statusLine = "a bad status line"
    case headerWithoutColon = "a header without colon"
    /// A length beyond the body.
    case wrongContentLength = "a wrong content-length"
    case twoContentLengths = "two content-lengths"
    case badChunk = "a bad chunk"
    case halfHead = "half a head"
    case garbage = "garbage"

    private static let field = "Content-Length"

    /// The bytes before the body.
    func bytes(of head: HTTPResponseHead) -> [UInt8] {
        var head = head
        // The server has written a number there.
        let length = head.fields[Self.field].flatMap { UInt64($0) } ?? 0
        switch self {
        case .statusLine:
            let rest = head.bytes.drop { $0 != UInt8(ascii: "\r") }
            return Array("HTTP/1.1 fine \(head.status)".utf8) + rest
        case .headerWithoutColon:
            head.fields.add("Not-A-Field", "")
            let text = String(decoding: head.bytes, as: UTF8.self)
            return Array(text.replacing("Not-A-Field: ", with: "this is no field").utf8)
        case .wrongContentLength:
            head.fields.replace(Self.field, by: "\(length + 10)")
        case .twoContentLengths:
            head.fields.replace(Self.field, by: "\(length)")
            head.fields.add(Self.field, "\(length + 10)")
        case .badChunk:
            head.fields.remove(Self.field)
            head.fields.add("Transfer-Encoding", "chunked")
            return head.bytes + Array("some\r\n".utf8)
        case .halfHead: return Array(head.bytes.prefix(head.bytes.count / 2))
        case .garbage: return (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + 128) }
        }
        return head.bytes
    }

    var hasBody: Bool {
        switch self {
        case .statusLine, .headerWithoutColon, .wrongContentLength, .twoContentLengths, .badChunk:
            true
        case .halfHead, .garbage: false
        }
    }

    /// Whether the connection ends, as nobody could tell where the next answer begins.
    var endsConnection: Bool {
        switch self {
        case .statusLine, .headerWithoutColon, .twoContentLengths: false
        case .wrongContentLength, .badChunk, .halfHead, .garbage: true
        }
    }
}

/// The defects of an answer on the wire.
struct AnswerDefects: Hashable, Sendable {
    var isRepeated = false
    /// Whether an object is sent in chunks.
    var isInChunks = false
    var malformation: Malformation?

    var endsConnection: Bool { malformation?.endsConnection ?? false }

    func bytes(of answer: Answer) -> [UInt8] {
        let head = bytes(of: answer.head)
        let once = malformation?.hasBody == false ? head : head + answer.body
        return isRepeated ? once + once : once
    }

    func bytes(of head: HTTPResponseHead) -> [UInt8] {
        malformation?.bytes(of: head) ?? head.bytes
    }

    /// Returns the pieces to send after the head of an object.
    func pieces(
        _ pieces: ArraySlice<Download.Piece>, behind head: [UInt8]
    ) -> ArraySlice<Download.Piece> {
        let whole = isInChunks ? Self.chunks(of: pieces)[...] : pieces
        let once = malformation?.hasBody == false ? [] : whole
        return isRepeated ? once + [.bytes(head)] + once : once
    }

    private static let chunk = ByteCount(65_536)

    private static func chunks(of pieces: ArraySlice<Download.Piece>) -> [Download.Piece] {
        var chunks: [Download.Piece] = []
        for piece in pieces {
            for part in piece.parts(atMost: chunk) {
                let size = String(part.length.bytes, radix: 16)
                chunks += [.bytes(Array("\(size)\r\n".utf8)), part, .bytes(Array("\r\n".utf8))]
            }
        }
        return chunks + [.bytes(Array("0\r\n\r\n".utf8))]
    }
}
