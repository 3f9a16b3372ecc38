package import Content
package import Quantities

/// Splits a stream into heads and bodies, however the transport has divided it.
///
///     head ──▶ body ──▶ head …                     a message without a body goes from head to head
///       └──▶ chunk size ──▶ chunk ──▶ chunk end ──▶ chunk size …
///                └──▶ trailer ──▶ head             after the chunk of size 0 (RFC 9112 §7.1)
package struct HTTPMessageReader<Head: HTTPReadableHead>: Hashable, Sendable {
    private var state = State.head([])

    private enum State: Hashable, Sendable {
        case head([UInt8])
        case body(left: ByteCount)
        /// The line so far.
        case chunkSize([UInt8])
        case chunk(left: ByteCount)
        case chunkEnd([UInt8])
        /// The trailer so far; nothing of it is used.
        case trailer([UInt8])
        case broken
    }

    package enum Part: Hashable, Sendable {
        case head(Head)
        case body(Segment)
        case end
    }

    package static var headLimit: Int { 16 * 1024 }

    package init() {}

    /// Returns the parts that these segments complete, in order.
    ///
    /// `bodyless` decides by a response's status that no body follows, whatever its fields say.
    /// Only the client knows: the answer to a HEAD has the length of a GET's body.
    package mutating func read(
        _ segments: [Segment], bodyless: (Head) -> Bool = { _ in false }
    ) throws(HTTPError) -> [Part] {
        var parts: [Part] = []
        try read(segments, bodyless: bodyless, into: &parts)
        return parts
    }

    /// Appends the parts that these segments complete, including those before an error.
    package mutating func read(
        _ segments: [Segment], bodyless: (Head) -> Bool = { _ in false }, into parts: inout [Part]
    ) throws(HTTPError) {
        for segment in segments {
            var rest: Segment? = segment
            while let piece = rest, piece.length > .zero {
                do {
                    rest = try advance(by: piece, bodyless: bodyless, into: &parts)
                } catch {
                    state = .broken
                    throw error
                }
            }
        }
    }

    /// Skips bytes in the middle of a body. `false`, and nothing skipped, if they end the body or
    /// do not belong to one.
    package mutating func passBody(_ count: ByteCount) -> Bool {
        switch state {
        case .body(let left) where count < left: state = .body(left: left - count)
        case .chunk(let left) where count < left: state = .chunk(left: left - count)
        default: return false
        }
        return true
    }

    /// The number of bytes that the body or its current chunk still lacks; zero outside of a body.
    package var bodyLeft: ByteCount {
        switch state {
        case .body(let left), .chunk(let left): left
        default: .zero
        }
    }

    private mutating func advance(
        by piece: Segment, bodyless: (Head) -> Bool, into parts: inout [Part]
    ) throws(HTTPError) -> Segment? {
        switch state {
        case .broken: throw HTTPError(400, "the stream went wrong earlier")
        case .chunkSize, .chunkEnd, .trailer: return try advanceLine(by: piece, into: &parts)
        case .chunk(let left):
            let (now, later) = piece.split(at: min(left, piece.length))
            parts.append(.body(now))
            state = now.length == left ? .chunkEnd([]) : .chunk(left: left - now.length)
            return later
        case .head(var head):
            guard case .bytes(let bytes) = piece else {
                throw HTTPError(400, "a file's content stands where a head should begin")
            }
            state = .broken  // so that `head` is the only owner while it grows
            for (index, byte) in bytes.enumerated() {
                head.append(byte)
                guard head.count <= Self.headLimit else {
                    throw HTTPError(431, "the head is longer than \(Self.headLimit) bytes")
                }
                guard byte == UInt8(ascii: "\n"), head.suffix(4).elementsEqual(Self.blankLine)
                else { continue }
                try finishHead(head, bodyless: bodyless, into: &parts)
                return .bytes(Array(bytes[(index + 1)...]))
            }
            state = .head(head)
            return nil
        case .body(let left):
            let count = min(left, piece.length)
            let (now, later) = piece.split(at: count)
            parts.append(.body(now))
            if count == left {
                parts.append(.end)
                state = .head([])
            } else {
                state = .body(left: left - count)
            }
            return later
        }
    }

    private mutating func finishHead(
        _ bytes: [UInt8], bodyless: (Head) -> Bool, into parts: inout [Part]
    ) throws(HTTPError) {
        let head = try Head(parsing: bytes)
        let length = bodyless(head) ? .zero : try HTTPBodyLength.of(head.fields)
        parts.append(.head(head))
        switch length {
        case .zero?:
            parts.append(.end)
            state = .head([])
        case let length?: state = .body(left: length)
        case nil: state = .chunkSize([])
        }
    }

    // MARK: Chunks

    /// Lines between chunks are short; long ones are useless extensions, or an attack.
    private static var chunkLineLimit: Int { 256 }
    private static var trailerLimit: Int { 8 * 1024 }

    private mutating func advanceLine(
        by piece: Segment, into parts: inout [Part]
    ) throws(HTTPError) -> Segment? {
        guard case .bytes(let bytes) = piece else {
            throw HTTPError(400, "a file's content stands where a chunk's size should")
        }
        for (index, byte) in bytes.enumerated() {
            guard try take(byte, into: &parts) else { continue }
            return .bytes(Array(bytes[(index + 1)...]))
        }
        return nil
    }

    /// Reads one byte of chunk framing; returns whether the framing ends here.
    private mutating func take(
        _ byte: UInt8, into parts: inout [Part]
    ) throws(HTTPError) -> Bool {
        switch state {
        case .chunkSize(var line):
            line.append(byte)
            guard line.count <= Self.chunkLineLimit else {
                throw HTTPError(400, "the line of a chunk's size does not end")
            }
            state = .chunkSize(line)
            guard byte == UInt8(ascii: "\n") else { return false }
            let size = try Self.chunkSize(line)
            state = size == .zero ? .trailer(Array("\r\n".utf8)) : .chunk(left: size)
        case .chunkEnd(let line):
            guard byte == UInt8(ascii: line.isEmpty ? "\r" : "\n") else {
                throw HTTPError(400, "a chunk is longer than it said")
            }
            state = line.isEmpty ? .chunkEnd([byte]) : .chunkSize([])
            return false
        case .trailer(var lines):
            lines.append(byte)
            guard lines.count <= Self.trailerLimit else {
                throw HTTPError(431, "the trailer is longer than \(Self.trailerLimit) bytes")
            }
            state = .trailer(lines)
            guard lines.suffix(4).elementsEqual(Self.blankLine) else { return false }
            parts.append(.end)
            state = .head([])
        case .head, .body, .chunk, .broken: break
        }
        return true
    }

    /// Parses hexadecimal digits, and ignores extensions after a semicolon.
    private static func chunkSize(_ line: [UInt8]) throws(HTTPError) -> ByteCount {
        let text = String(decoding: line, as: UTF8.self)
        let digits = text.prefix { $0.isHexDigit && $0.isASCII }
        let rest = text[digits.endIndex...]
        guard line.suffix(2).elementsEqual(Array("\r\n".utf8)), digits.utf8.count <= 15,
            rest == "\r\n" || rest.hasPrefix(";"), let size = UInt64(digits, radix: 16)
        else { throw HTTPError(400, "“\(text)” is no size of a chunk") }
        return ByteCount(size)
    }

    private static var blankLine: [UInt8] { Array("\r\n\r\n".utf8) }
}

/// A head that can be parsed from bytes.
package protocol HTTPReadableHead: Hashable, Sendable {
    var fields: HTTPFields { get }
    init(parsing bytes: [UInt8]) throws(HTTPError)
}

extension HTTPRequestHead {
    /// The length of the body; `nil` if only its end will tell.
    package var bodyLength: ByteCount? {
        if fields["Transfer-Encoding"] != nil { return nil }
        return fields["Content-Length"].flatMap { ByteCount(decimalDigits: $0) } ?? .zero
    }
}

/// The length of a body by its fields (RFC 9112 §6.3); `nil` if it comes in chunks.
enum HTTPBodyLength {
    static func of(_ fields: HTTPFields) throws(HTTPError) -> ByteCount? {
        let codings = fields.values(of: "Transfer-Encoding")
        if let coding = codings.first {
            guard codings.count == 1, coding.lowercased() == "chunked" else {
                throw HTTPError(501, "transfer coding “\(coding)” is not taken, but “chunked” is")
            }
            // A reader of only one of the two fields would see another request after it.
            guard fields["Content-Length"] == nil else {
                throw HTTPError(400, "a body in chunks has no Content-Length")
            }
            return nil
        }
        let lengths = Set(fields.values(of: "Content-Length"))
        guard lengths.count <= 1 else {
            throw HTTPError(400, "two Content-Lengths that differ")
        }
        // any order: there is one at most
        guard let text = lengths.first else { return .zero }
        guard let length = ByteCount(decimalDigits: text) else {
            throw HTTPError(400, "“\(text)” is no Content-Length")
        }
        return length
    }
}

extension ByteCount {
    /// Parses digits only: no sign, no blank, nothing beyond 63 bits.
    package init?(decimalDigits text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int64(text)
        else { return nil }
        self.init(UInt64(value))
    }
}
