import Content
import Protocols
import Quantities
import Testing
import TransferEngine

@testable import Recording

/// What downloads bring is not recorded, and all that the engine reads is.
@Suite struct RecordedBodiesTests {
    private let connection = ConnectionID(1)

    /// What is kept of a stream that comes in pieces of so many bytes, in one line.
    private func kept(
        _ stream: String, asked methods: [String], pieces: Int = .max
    ) -> (text: String, leftOut: UInt64) {
        var bodies = RecordedBodies()
        for method in methods { bodies.asked(method, on: connection) }
        var rest = Array(stream.utf8)[...]
        var text = ""
        var leftOut: UInt64 = 0
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(piece.count)
            let cleared = bodies.cleared([.bytes(Array(piece))], of: connection)
            #expect(cleared.length == ByteCount(UInt64(piece.count)))
            for segment in cleared {
                switch segment {
                case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
                case .content(let range):
                    #expect(range.offset.bytes == leftOut)
                    leftOut += range.length.bytes
                }
            }
        }
        return (text, leftOut)
    }

    @Test(arguments: [1, 3, 7, .max])
    func `of an object its length alone is kept`(pieces: Int) {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
        let next = "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\ngone\n"
        let (text, leftOut) = kept(
            head + "my secret" + next, asked: ["GET", "GET"], pieces: pieces)
        #expect(text == head + next)
        #expect(leftOut == 9)
    }

    @Test(arguments: [1, 5, .max])
    func `of one that comes in chunks, too`(pieces: Int) {
        let head = "HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (text, leftOut) = kept(
            head + "4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n", asked: ["GET"], pieces: pieces)
        #expect(text == head + "4\r\n\r\n2\r\n\r\n0\r\n\r\n")
        #expect(leftOut == 6)
    }

    @Test func `what a server says of an upload is kept, and a large document is not`() {
        let small =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            + "Content-Length: 2\r\n\r\n{}"
        #expect(kept(small, asked: ["GET"]).text == small)
        let large =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            + "Content-Length: 5000\r\n\r\n"
        let document = String(repeating: "x", count: 5_000)
        #expect(kept(large + document, asked: ["GET"]) == (large, 5_000))
    }

    @Test func `an answer to a HEAD has no body, whatever its head says`() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
        let next = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        #expect(kept(head + next + "ab", asked: ["HEAD", "GET"]) == (head + next, 2))
    }

    /// Megabytes of it, too: nothing is looked at twice.
    @Test(.timeLimit(.minutes(1))) func `what is no HTTP is kept, however long it is`() {
        let garbage = "no HTTP\r\n\r\n" + String(repeating: "x", count: 4_000_000)
        #expect(kept(garbage, asked: ["GET"]) == (garbage, 0))
    }

    @Test func `what is no HTTP is kept as it is`() {
        #expect(kept("SSH-2.0-x\r\n\r\nhello", asked: ["GET"]).text == "SSH-2.0-x\r\n\r\nhello")
    }
}
