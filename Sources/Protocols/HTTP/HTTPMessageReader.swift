package import Content
package import Quantities

/// Takes a stream apart into heads and bodies, at whatever places the transport has cut it.
///
///     head ──▶ body ──▶ head …                     a message without a body goes from head to head
///       └──▶ chunk size ──▶ chunk ──▶ chunk end ──▶ chunk size …
///                └──▶ trailer ──▶ head             after the chunk of size 0 (RFC 9112 §7.1)
package struct HTTPMessageReader<Head: HTTPReadableHead>: Hashable, Sendable {
    private var state = State.head([])

    private enum State: Hashable, Sendable {
        case head([UInt8])
        case body(left: ByteCount)
        /// What came of the line so far.
        case chunkSize([UInt8])
        case chunk(left: ByteCount)
        case chunkEnd([UInt8])
        /// All of it so far, of which nothing is used.
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

    /// The parts that these segments complete, in order.
    ///
    /// `bodyless` says of a response's status that no body follows whatever its fields say; only
    /// the one who asked knows it (a HEAD is answered with the length of what a GET would bring).
    package mutating func read(
        _ segments: [Segment], bodyless: (Head) -> Bool = { _ in false }
    ) throws(HTTPError) -> [Part] {
        var parts: [Part] = []
        try read(segments, bodyless: bodyless, into: &parts)
        return parts
    }

    /// The same, where what stands before a mistake counts all the same.
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

    /// Passes over bytes in the middle of a body, where there is nothing to take apart; `false`,
    /// and nothing passed, where these bytes would end the body or are none of it.
    package mutating func passBody(_ count: ByteCount) -> Bool {
        switch state {
        case .body(let left) where count < left: state = .body(left: left - count)
        case .chunk(let left) where count < left: state = .chunk(left: left - count)
        default: return false
        }
        return true
    }

    /// How much of a body, or of a chunk of it, is still to come; zero anywhere else.
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

    /// Lines between chunks are short; long ones are extensions that nobody needs, or an attack.
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

    /// One byte of what frames chunks; whether that was the last one of it for now.
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

    /// Hexadecimal digits, and extensions behind a semicolon, which may be ignored.
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

/// A head that a reader can make from its bytes.
package protocol HTTPReadableHead: Hashable, Sendable {
    var fields: HTTPFields { get }
    init(parsing bytes: [UInt8]) throws(HTTPError)
}

extension HTTPRequestHead: HTTPReadableHead {
    package init(parsing bytes: [UInt8]) throws(HTTPError) {
        self = try HTTPHeadParser.request(bytes)
    }
}

extension HTTPResponseHead: HTTPReadableHead {
    package init(parsing bytes: [UInt8]) throws(HTTPError) {
        self = try HTTPHeadParser.response(bytes)
    }
}

extension HTTPRequestHead {
    /// How long the body is; `nil` where only its end will tell.
    package var bodyLength: ByteCount? {
        if fields["Transfer-Encoding"] != nil { return nil }
        return fields["Content-Length"].flatMap { ByteCount(decimalDigits: $0) } ?? .zero
    }
}

/// How long a body is, by its fields (RFC 9112 §6.3); `nil` for one that comes in chunks.
enum HTTPBodyLength {
    static func of(_ fields: HTTPFields) throws(HTTPError) -> ByteCount? {
        let codings = fields.values(of: "Transfer-Encoding")
        if let coding = codings.first {
            guard codings.count == 1, coding.lowercased() == "chunked" else {
                throw HTTPError(501, "transfer coding “\(coding)” is not taken, but “chunked” is")
            }
            // Whoever reads only one of the two sees another request behind it.
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
    /// Digits and nothing else: no sign, no blank, nothing that does not fit 63 bits.
    package init?(decimalDigits text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int64(text)
        else { return nil }
        self.init(UInt64(value))
    }
}
