package import Content
package import Quantities

/// Takes a stream apart into heads and bodies, at whatever places the transport has cut it.
///
///     head ──▶ body ──▶ head …      a message without a body goes from head to head
///
/// Bodies are framed by Content-Length. Chunked bodies are answered 501, since no front end takes
/// them.
package struct HTTPMessageReader<Head: HTTPReadableHead>: Hashable, Sendable {
    private var state = State.head([])

    private enum State: Hashable, Sendable {
        case head([UInt8])
        case body(left: ByteCount)
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
        return parts
    }

    /// Passes over bytes in the middle of a body, where there is nothing to take apart; `false`,
    /// and nothing passed, where these bytes would end the body or are none of it.
    package mutating func passBody(_ count: ByteCount) -> Bool {
        guard case .body(let left) = state, count < left else { return false }
        state = .body(left: left - count)
        return true
    }

    private mutating func advance(
        by piece: Segment, bodyless: (Head) -> Bool, into parts: inout [Part]
    ) throws(HTTPError) -> Segment? {
        switch state {
        case .broken: throw HTTPError(400, "the stream went wrong earlier")
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
        parts.append(.head(head))
        let length = bodyless(head) ? .zero : try HTTPBodyLength.of(head.fields)
        if length == .zero {
            parts.append(.end)
            state = .head([])
        } else {
            state = .body(left: length)
        }
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
    /// How long the body is, as far as the head tells.
    package var bodyLength: ByteCount? {
        fields["Content-Length"].flatMap { ByteCount(decimalDigits: $0) }
    }
}

/// How long a body is, by its fields (RFC 9112 §6.3).
enum HTTPBodyLength {
    static func of(_ fields: HTTPFields) throws(HTTPError) -> ByteCount {
        if let coding = fields["Transfer-Encoding"] {
            throw HTTPError(501, "transfer coding “\(coding)” is not taken; send Content-Length")
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
