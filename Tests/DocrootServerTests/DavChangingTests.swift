import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer
@testable import Simulation

@Suite struct DavChangingTests {
    @Test func `readers see the old body until the new one is whole`() throws {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        bench.begin("PUT", "/dav/a", length: ByteCount(50), on: 2)
        bench.send(bytes(49, of: 2), on: 2)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
        bench.send(bytes(1, of: 2, at: 49), on: 2)
        #expect(bench.reply(on: 2)?.status == 204)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(50, of: 2))
    }

    @Test func `a put that breaks off leaves nothing`() {
        let bench = DocrootBench()
        bench.begin("PUT", "/dav/a", length: ByteCount(50), on: 2)
        bench.send(bytes(49), on: 2)
        bench.leave(2)
        #expect(bench.ask("GET", "/dav/a")?.status == 404)
        #expect(bench.server.uploads.isEmpty)
        #expect(bench.docroot.staged.isEmpty)
    }

    @Test func `the last to complete wins, never a mixture`() {
        let bench = DocrootBench()
        bench.begin("PUT", "/dav/a", length: ByteCount(20), on: 1)
        bench.begin("PUT", "/dav/a", length: ByteCount(20), on: 2)
        bench.send(bytes(10), on: 1)
        bench.send(bytes(20, of: 2), on: 2)
        bench.send(bytes(10, at: 10), on: 1)
        #expect(bench.ask("GET", "/dav/a", on: 3)?.ranges.map(Segment.content) == bytes(20))
    }

    @Test func `of two who replace the same version the second is told`() throws {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(10))
        let tag = try #require(bench.ask("HEAD", "/dav/a")?.head.fields["ETag"])
        bench.begin("PUT", "/dav/a", [("If-Match", tag)], length: ByteCount(20), on: 1)
        bench.begin("PUT", "/dav/a", [("If-Match", tag)], length: ByteCount(30), on: 2)
        bench.send(bytes(30, of: 2), on: 2)
        #expect(bench.reply(on: 2)?.status == 204)
        bench.send(bytes(20), on: 1)
        #expect(bench.reply(on: 1)?.status == 412)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(30, of: 2))
        #expect(bench.server.uploads.isEmpty)
    }

    @Test func `whoever leaves while the store is asked leaves no upload behind`() {
        let bench = DocrootBench()
        bench.begin("PUT", "/dav/a", length: ByteCount(10), on: 1)
        bench.storeAnswers = false
        bench.send(bytes(10), on: 1)
        bench.leave(1)
        bench.letStoreAnswer()
        #expect(bench.server.uploads.isEmpty)
        #expect(bench.ask("GET", "/dav/a", on: 2)?.status == 404)
    }

    static let refusals: [(method: String, target: String, fields: [(String, String)], Int)] = [
        ("PUT", "/dav/x/y", [], 409), ("PUT", "/dav/f", [], 405), ("PUT", "/dav/n/", [], 405),
        ("PUT", "/dav/n", [("Content-Range", "bytes 0-1/5")], 400), ("PUT", "/dav/../n", [], 403),
        ("PUT", "/dav/%2e%2e/n", [], 403), ("PUT", "/dav/a%00b", [], 400),
        ("PUT", "/dav/.transferlab/x", [], 403), ("GET", "/dav/.TransferLab/1", [], 403),
        ("MKCOL", "/dav/f", [], 405), ("MKCOL", "/dav/a", [], 405), ("MKCOL", "/dav/x/y", [], 409),
        ("DELETE", "/dav/x", [], 404), ("DELETE", "/dav/", [], 403),
        ("DELETE", "/dav/f", [("Depth", "0")], 400),
        ("COPY", "/dav/a", [], 400), ("COPY", "/dav/a", [("Destination", "/dav/a")], 403),
        ("COPY", "/dav/f", [("Destination", "/dav/f/g")], 403),
        ("COPY", "/dav/a", [("Destination", "/tus/a")], 502),
        ("COPY", "/dav/a", [("Destination", "/dav/x/y")], 409),
        ("COPY", "/dav/a", [("Destination", "/dav/f"), ("Overwrite", "F")], 412),
        ("MOVE", "/dav/x", [("Destination", "/dav/y")], 404),
        ("MOVE", "/dav/f", [("Destination", "/dav/g"), ("Depth", "0")], 400),
        ("PROPFIND", "/dav/a", [], 403), ("PROPFIND", "/dav/a", [("Depth", "2")], 400),
        ("LOCK", "/dav/a", [], 405), ("GET", "/elsewhere", [], 404),
        ("PUT", "/dav/n", [("Expect", "the best")], 417),
    ]

    @Test(arguments: refusals) func `what cannot be done is refused, and changes nothing`(
        method: String, target: String, fields: [(String, String)], status: Int
    ) {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(10))
        bench.ask("MKCOL", "/dav/f")
        bench.ask("PUT", "/dav/f/b", body: bytes(10))
        #expect(bench.ask(method, target, fields, on: 2)?.status == status)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(10))
        #expect(bench.ask("GET", "/dav/f/b")?.ranges.map(Segment.content) == bytes(10))
        #expect(bench.ask("GET", "/dav/n")?.status == 404)
    }

    @Test func `folders are made, copied, moved and deleted with what is in them`() {
        let bench = DocrootBench()
        bench.ask("MKCOL", "/dav/f")
        bench.ask("PUT", "/dav/f/b", body: bytes(10))
        let copy = [("Destination", "http://host/dav/g")]
        #expect(bench.ask("COPY", "/dav/f/", copy)?.status == 201)
        #expect(bench.ask("MOVE", "/dav/f/", [("Destination", "/dav/h")])?.status == 201)
        #expect(bench.ask("GET", "/dav/g/b")?.status == 200)
        #expect(bench.ask("GET", "/dav/h/b")?.status == 200)
        #expect(bench.ask("GET", "/dav/f/b")?.status == 404)
        #expect(bench.ask("DELETE", "/dav/g")?.status == 204)
        #expect(bench.ask("GET", "/dav/g/b")?.status == 404)
        let shallow = [("Destination", "/dav/i"), ("Depth", "0")]
        #expect(bench.ask("COPY", "/dav/h", shallow)?.status == 201)
        #expect(bench.ask("GET", "/dav/i/b")?.status == 404)
    }

    @Test func `a thousand requests in one breath are answered one by one`() {
        let bench = DocrootBench()
        let one = Array("OPTIONS * HTTP/1.1\r\nHost: docroot\r\n\r\n".utf8)
        bench.connect(1)
        bench.send([.bytes(Array(repeatElement(one, count: 20_000).joined()))])
        let answers = bench.raw(on: 1).split(separator: "\r\n").filter { $0.hasPrefix("HTTP/") }
        #expect(answers.count == 20_000)
        #expect(bench.held.isEmpty)
    }

    @Test func `a body in chunks has the length that it turns out to have`() {
        let bench = DocrootBench(ServerSettings(bodyLimit: ByteCount(150)))
        let chunked = [("Transfer-Encoding", "chunked")]
        let end = Segment.bytes(Array("\r\n0\r\n\r\n".utf8))
        let size = Segment.bytes(Array("64\r\n".utf8))
        bench.begin("PUT", "/dav/a", chunked, length: .zero)
        bench.send([size] + bytes(60))
        #expect(bench.ask("GET", "/dav/a", on: 2)?.status == 404)
        bench.send(bytes(40, at: 60) + [end])
        #expect(bench.reply()?.status == 201)
        #expect(bench.ask("GET", "/dav/a", on: 2)?.ranges.map(Segment.content) == bytes(100))
        // Nobody has said how long it would be, and still there is an end to it.
        bench.begin("PUT", "/dav/b", chunked, length: .zero, on: 3)
        bench.send([size] + bytes(100), on: 3)
        bench.send([.bytes(Array("\r\n64\r\n".utf8))] + bytes(100), on: 3)
        #expect(bench.reply(on: 3)?.status == 507)
        #expect(bench.closed == [3])
        #expect(bench.server.uploads.isEmpty)
    }

    @Test func `a client that waits to be invited is invited, or told at once`() {
        let bench = DocrootBench()
        let patience = [("Expect", "100-continue")]
        bench.begin("PUT", "/dav/x/y", patience, length: ByteCount(10), on: 1)
        #expect(bench.reply(on: 1)?.head.fields["Connection"] == "close")
        #expect(bench.closed == [1])
        bench.begin("PUT", "/dav/y", patience, length: ByteCount(10), on: 2)
        #expect(bench.raw(on: 2).hasPrefix("HTTP/1.1 100 Continue\r\n"))
        bench.send(bytes(10), on: 2)
        #expect(bench.reply(on: 2)?.status == 201)
    }
}
