import Content
import Protocols
import Quantities
import Testing

@Suite struct HTTPMessageReaderTests {
    typealias Reader = HTTPMessageReader<HTTPRequestHead>
    static let head = HTTPRequestHead(
        "PATCH", "/tus/1",
        fields: HTTPFields([("Host", "docroot"), ("Content-Length", "10"), ("X", "")]))
    static let body = ContentRange(
        FileVersion(file: 1, edit: 0), offset: .zero, length: ByteCount(10))

    @Test(arguments: 0...95) func `a message cut anywhere reads the same`(cut: Int) throws {
        let stream: [Segment] = [.bytes(Self.head.bytes), .content(Self.body)]
        let place = ByteCount(UInt64(cut))
        guard place <= stream.length else { return }
        var reader = Reader()
        var parts: [Reader.Part] = []
        let (before, after) = Self.split(stream, at: place)
        parts += try reader.read(before)
        parts += try reader.read(after)
        #expect(parts.first == .head(Self.head))
        #expect(parts.last == .end)
        var received: [ContentRange] = []
        for case .body(.content(let range)) in parts { received.join(range) }
        #expect(received == [Self.body])
    }

    @Test func `a message without a body ends at once, and the next one follows`() throws {
        let get = HTTPRequestHead("GET", "/a", fields: HTTPFields([("Host", "docroot")]))
        var reader = Reader()
        let parts = try reader.read([.bytes(get.bytes + get.bytes)])
        #expect(parts == [.head(get), .end, .head(get), .end])
    }

    static let chunked = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: 1...9) func `chunks cut anywhere make one body`(step: Int) throws {
        let chunks = "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: u\r\n\r\n"
        let text = Self.chunked + chunks + "GET / HTTP/1.1\r\n\r\n"
        let bytes = Array(text.utf8)
        var reader = Reader()
        var body: [UInt8] = []
        var ends = 0
        for start in stride(from: 0, to: bytes.count, by: step) {
            let piece = Array(bytes[start..<min(start + step, bytes.count)])
            for part in try reader.read([.bytes(piece)]) {
                if case .body(.bytes(let some)) = part { body += some }
                if case .end = part { ends += 1 }
            }
        }
        #expect(String(decoding: body, as: UTF8.self) == "abc0123456789")
        #expect(ends == 2)
    }

    static let mistakes: [(text: String, status: Int)] = [
        ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("G@T / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 505),
        ("GET / SPDY/1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n: v\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\na b: v\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\na: \u{1}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400),
        (chunked + "g\r\n", 400), (chunked + "\r\n", 400), (chunked + "-1\r\n", 400),
        (chunked + "1\n", 400), (chunked + "1 \r\n", 400), (chunked + "1\r\nab", 400),
        (chunked + "1\r\na\rb", 400), (chunked + "ffffffffffffffff\r\n", 400),
        (chunked + "1;" + String(repeating: "x", count: 300), 400),
        (chunked + "0\r\n" + String(repeating: "x: y\r\n", count: 2_000), 431),
        ("\r\n\r\n", 400),
        ("GET /" + String(repeating: "a", count: 20_000), 431),
    ]

    @Test(arguments: mistakes) func `a mistake has its status`(text: String, status: Int) {
        var reader = Reader()
        do {
            _ = try reader.read([.bytes(Array(text.utf8))])
            Issue.record("“\(text.prefix(60))” was taken")
        } catch {
            #expect(error.status == status, "\(error.reason)")
        }
        // Nobody knows where the next message begins.
        #expect(throws: HTTPError.self) {
            try reader.read([.bytes(Array("GET / HTTP/1.1\r\n\r\n".utf8))])
        }
    }

    static func split(_ stream: [Segment], at place: ByteCount) -> ([Segment], [Segment]) {
        var before: [Segment] = []
        var after: [Segment] = []
        var left = place
        for segment in stream {
            let count = min(left, segment.length)
            let (head, tail) = segment.split(at: count)
            if head.length > .zero { before.append(head) }
            if tail.length > .zero { after.append(tail) }
            left = left - count
        }
        return (before, after)
    }
}
