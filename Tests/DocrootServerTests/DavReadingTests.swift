import Content
import Facts
import Protocols
import Quantities
import Testing

@testable import DocrootServer
@testable import Simulation

@Suite struct DavReadingTests {
    @Test func `what was put is read back, and each body has a tag of its own`() throws {
        let bench = DocrootBench()
        #expect(bench.ask("PUT", "/dav/a", body: bytes(100))?.status == 201)
        let first = try #require(bench.ask("GET", "/dav/a"))
        #expect(first.status == 200)
        #expect(first.ranges.map(Segment.content) == bytes(100))
        #expect(bench.ask("PUT", "/dav/a", body: bytes(100))?.status == 204)
        let second = try #require(bench.ask("HEAD", "/dav/a"))
        #expect(second.head.fields["Content-Length"] == "100")
        #expect(second.body.isEmpty)
        // The same bytes, and another version all the same.
        #expect(second.head.fields["ETag"] != first.head.fields["ETag"])
    }

    @Test(
        arguments: [
            ("GET /dav/a HTTP/1.1\r\n", 400), ("GET /dav/a HTTP/1.1\r\nHost: a\r\n", 404),
            ("GET /dav/a HTTP/1.1\r\nHost: a\r\nhost: b\r\n", 400),
            ("GET /dav/a HTTP/1.0\r\n", 404), ("GET / HTTP/1.1\r\n", 400),
        ])
    func `a request names its host once (RFC 9112 §3.2)`(head: String, status: Int) {
        let bench = DocrootBench()
        bench.connect(1)
        bench.send([.bytes(Array("\(head)\r\n".utf8))])
        #expect(bench.raw(on: 1).hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func `an object is closed when its last byte was sent, or its reader has left`() {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        bench.ask("GET", "/dav/a")
        #expect(bench.docroot.opened.isEmpty)
        bench.storeAnswers = false
        bench.ask("GET", "/dav/a")
        #expect(bench.docroot.opened.count == 1)
        bench.leave(1)
        bench.letStoreAnswer()
        #expect(bench.docroot.opened.isEmpty)
    }

    /// RFC 9110 §6.6.1: without it nobody could tell what a date in `Retry-After` means.
    @Test func `every answer has a date`() throws {
        let bench = DocrootBench()
        bench.wait(.seconds(86_400))
        for (method, target) in [("GET", "/dav/a"), ("OPTIONS", "/tus"), ("PUT", "/dav/a")] {
            let answer = try #require(bench.ask(method, target))
            #expect(answer.head.fields["Date"] == "Fri, 02 Jan 1970 00:00:00 GMT")
        }
    }

    /// What an upload asks before it overwrites an object (A15).
    @Test func `who wants a digest of what stands there gets it with its size and its date`() throws
    {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        let plain = try #require(bench.ask("HEAD", "/dav/a"))
        #expect(plain.head.fields["Repr-Digest"] == nil)
        let request = HeadRequest(object: "a").head(host: "docroot")
        let wish = request.fields.all.map { ($0.name, $0.value) }
        let first = try #require(bench.ask("HEAD", request.target, wish))
        guard case .stands(let state) = HeadResponse(parsing: first.head) else {
            Issue.record("\(first.head)")
            return
        }
        #expect(state.size == ByteCount(100))
        #expect(state.modified == 0)
        #expect(first.body.isEmpty)
        bench.ask("PUT", "/dav/b", body: bytes(100))
        bench.ask("PUT", "/dav/c", body: bytes(100, of: 2))
        func digest(_ path: String) -> ReprDigest? {
            bench.ask("HEAD", "/dav/\(path)", wish).flatMap { ReprDigest(of: $0.head) }
        }
        #expect(state.digest != nil)
        #expect(digest("b") == state.digest)
        #expect(digest("c") != state.digest)
        #expect(bench.ask("HEAD", "/dav/d", wish)?.status == 404)
        let known = [("If-None-Match", try #require(first.head.fields["ETag"]))]
        #expect(bench.ask("HEAD", "/dav/a", wish + known)?.status == 304)
    }

    @Test func `a part is a part of one version, or the whole of the next`() throws {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        let tag = try #require(bench.ask("HEAD", "/dav/a")?.head.fields["ETag"])
        let range = [("Range", "bytes=40-"), ("If-Range", tag)]
        let part = try #require(bench.ask("GET", "/dav/a", range))
        #expect(part.status == 206)
        #expect(part.head.fields["Content-Range"] == "bytes 40-99/100")
        #expect(part.ranges.map(Segment.content) == bytes(60, at: 40))
        bench.ask("PUT", "/dav/a", body: bytes(80, of: 2))
        let whole = try #require(bench.ask("GET", "/dav/a", range))
        #expect(whole.status == 200)
        #expect(whole.ranges.map(Segment.content) == bytes(80, of: 2))
    }

    @Test func `a range behind the end tells how long the object is`() throws {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        let reply = try #require(bench.ask("GET", "/dav/a", [("Range", "bytes=100-")]))
        #expect(reply.status == 416)
        #expect(reply.head.fields["Content-Range"] == "bytes */100")
    }

    @Test func `several parts come in one answer, as long as it says`() throws {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        let reply = try #require(bench.ask("GET", "/dav/a", [("Range", "bytes=0-9,90-")]))
        #expect(reply.status == 206)
        #expect(reply.head.fields["Content-Length"] == "\(reply.body.length.bytes)")
        #expect(reply.text.contains("Content-Range: bytes 90-99/100"))
        #expect(reply.ranges.map(\.length) == [ByteCount(10), ByteCount(10)])
    }

    @Test func `a reader who has it already gets no body`() throws {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(100))
        let tag = try #require(bench.ask("HEAD", "/dav/a")?.head.fields["ETag"])
        #expect(bench.ask("GET", "/dav/a", [("If-None-Match", tag)])?.status == 304)
        #expect(bench.ask("GET", "/dav/a", [("If-Match", "\"v9\"")])?.status == 412)
        #expect(bench.ask("GET", "/dav/b")?.status == 404)
        #expect(bench.ask("GET", "/dav/")?.status == 405)
    }

    @Test func `a reader gets the rest of the old body, block by block`() throws {
        let bench = DocrootBench()
        let size: UInt64 = 3 << 20
        bench.ask("PUT", "/dav/a", body: bytes(size))
        bench.readersTake = false
        let begun = try #require(bench.ask("GET", "/dav/a"))
        // A reader who takes nothing is sent no more than a block.
        #expect(begun.ranges.map(\.length) == [ServerSettings().block])
        bench.ask("PUT", "/dav/a", body: bytes(10, of: 2), on: 2)
        #expect(bench.aborted.isEmpty)
        bench.readersTake = true
        bench.drain(1)
        let rest = bench.rest(on: 1)
        let block = ServerSettings().block.bytes
        #expect(rest == bytes(size - block, at: block))
    }

    @Test func `a reader who goes away leaves nothing open, and the log knows how far it came`() {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(3 << 20))
        bench.readersTake = false
        bench.ask("GET", "/dav/a")
        bench.leave(1)
        let ends = bench.notes.filter { if case .readingBroken = $0 { true } else { false } }
        #expect(ends == [.readingBroken(object: "a", at: .zero, why: "the reader went away")])
    }

    @Test func `a client that talks too far ahead is held until its turn comes`() {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(10))
        bench.readersTake = false
        bench.ask("GET", "/dav/a")
        bench.begin("PUT", "/dav/b", length: ByteCount(1 << 20))
        bench.send(bytes(1 << 17))
        #expect(bench.held == [1])
        bench.readersTake = true
        bench.drain(1)
        #expect(bench.held.isEmpty)
    }

    @Test func `an answer that would be far larger than its question is refused`() {
        let bench = DocrootBench()
        for place in 0..<40 { bench.ask("PUT", "/dav/\(place)", body: bytes(1)) }
        let space = String(repeating: "n", count: 1_000)
        let names = String(repeating: "<b/>", count: 2_000)
        let question = """
            <D:propfind xmlns:D="DAV:"><D:prop xmlns="\(space)">\(names)</D:prop></D:propfind>
            """
        let document = [Segment.bytes(Array(question.utf8))]
        let deep = bench.ask("PROPFIND", "/dav/", [("Depth", "1")], body: document)
        #expect(deep?.status == 507)
        #expect(bench.ask("PROPFIND", "/dav/", [("Depth", "0")], body: document)?.status == 207)
    }
}
