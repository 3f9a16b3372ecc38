import Content
import Facts
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Behaviour K7, K8 and K12.
@Suite struct KiiTests {
    static let body = "/api/apps/app/buckets/b/objects/film/body"

    private func range(_ text: String) -> [(String, String)] { [("Content-Range", text)] }

    private func started(_ bench: DocrootBench, on connection: UInt32 = 1) -> String {
        let reply = bench.ask("POST", Self.body + "/uploads", on: connection)
        #expect(reply?.status == 200)
        let digits = reply?.text.filter(\.isNumber) ?? ""
        return "\(Self.body)/uploads/\(digits)"
    }

    @Test func `a body comes in chunks and is there once it is committed`() {
        let bench = DocrootBench()
        let upload = started(bench)
        let first = bench.ask("PUT", upload + "/data", range("bytes=0-59/100"), body: bytes(60))
        #expect(first?.status == 204)
        #expect(bench.ask("POST", upload + "/status/committed")?.status == 409)
        let rest = bytes(40, at: 60)
        let second = bench.ask("PUT", upload + "/data", range("bytes 60-99/100"), body: rest)
        #expect(second?.status == 204)
        #expect(bench.ask("GET", Self.body)?.status == 404)
        #expect(bench.ask("POST", upload + "/status/committed")?.status == 204)
        // The answer may be lost, and the client commits again.
        #expect(bench.ask("POST", upload + "/status/committed")?.status == 204)
        #expect(bench.published == 1)
        let reply = bench.ask("GET", Self.body, [("Range", "bytes=50-")])
        #expect(reply?.status == 206)
        #expect(reply?.head.fields["ETag"] != nil)
        #expect(reply?.ranges.map(Segment.content) == bytes(50, at: 50))
    }

    @Test func `an object may be called body`() {
        let bench = DocrootBench()
        let object = "/api/apps/app/buckets/body/objects/body/body"
        #expect(bench.ask("PUT", object, body: bytes(10))?.status == 201)
        #expect(bench.ask("GET", object)?.status == 200)
    }

    @Test func `a chunk that broke off is sent again from its beginning`() {
        let bench = DocrootBench()
        let upload = started(bench)
        bench.ask("PUT", upload + "/data", range("bytes=0-49/100"), body: bytes(50))
        bench.begin("PUT", upload + "/data", range("bytes=50-99/100"), length: ByteCount(50))
        bench.send(bytes(20, at: 50))
        bench.leave(1)
        let again = bench.ask(
            "PUT", upload + "/data", range("bytes=50-99/100"), body: bytes(50, at: 50), on: 2)
        #expect(again?.status == 204)
        bench.ask("POST", upload + "/status/committed", on: 2)
        #expect(bench.ask("GET", Self.body, on: 2)?.ranges.map(Segment.content) == bytes(100))
    }

    @Test func `the same chunk over a new connection ends the old one`() {
        let bench = DocrootBench()
        let upload = started(bench)
        bench.begin("PUT", upload + "/data", range("bytes=0-99/100"), length: ByteCount(100))
        bench.send(bytes(20))
        let again = bench.ask(
            "PUT", upload + "/data", range("bytes=0-99/100"), body: bytes(100), on: 2)
        #expect(again?.status == 204)
        #expect(bench.closed == [1])
    }

    @Test func `a chunk that is there already is not taken twice`() {
        let bench = DocrootBench()
        let upload = started(bench)
        let chunk = range("bytes=0-49/100")
        bench.ask("PUT", upload + "/data", chunk, body: bytes(50))
        #expect(bench.ask("PUT", upload + "/data", chunk, body: bytes(50, of: 2))?.status == 204)
        #expect(bench.ask("GET", upload)?.text.contains("\"receivedBytes\":50") == true)
        let gap = range("bytes=60-99/100")
        #expect(bench.ask("PUT", upload + "/data", gap, body: bytes(40))?.status == 409)
    }

    @Test func `a body of which all chunks are there is committed after a restart, too`() throws {
        let bench = DocrootBench()
        let upload = started(bench)
        bench.ask("PUT", upload + "/data", range("bytes=0-99/100"), body: bytes(100))
        let record = try #require(bench.kept.last)
        bench.restart(with: [
            RestoredUpload(record: record, staged: ByteCount(100), isPublished: false)
        ])
        #expect(bench.ask("POST", upload + "/status/committed", on: 2)?.status == 204)
        #expect(bench.published == 1)
    }

    @Test func `nothing is published after a restart before it is committed`() throws {
        let bench = DocrootBench()
        let upload = started(bench)
        bench.ask("PUT", upload + "/data", range("bytes=0-99/100"), body: bytes(100))
        let record = try #require(bench.kept.last)
        bench.restart(with: [
            RestoredUpload(record: record, staged: ByteCount(100), isPublished: false)
        ])
        let reply = bench.ask("GET", upload, on: 2)
        #expect(reply?.text.contains("\"receivedBytes\":100") == true)
        #expect(bench.published == 0)
        #expect(bench.ask("POST", upload + "/status/cancelled", on: 2)?.status == 204)
        #expect(bench.published == 0)
    }

    @Test func `a chunk that is refused says nothing of the body's length`() {
        let bench = DocrootBench()
        let upload = started(bench)
        let gap = range("bytes=60-99/100")
        #expect(bench.ask("PUT", upload + "/data", gap, body: bytes(40))?.status == 409)
        let whole = range("bytes=0-9/10")
        #expect(bench.ask("PUT", upload + "/data", whole, body: bytes(10))?.status == 204)
    }

    @Test func `a download that runs while its object is replaced fails`() {
        let bench = DocrootBench()
        bench.ask("PUT", Self.body, body: bytes(3 << 20))
        bench.readersTake = false
        bench.ask("GET", Self.body)
        bench.ask("PUT", Self.body, body: bytes(10, of: 2), on: 2)
        #expect(bench.aborted == [1])
        #expect(
            bench.notes.contains(
                .readingBroken(
                    object: "app/buckets/b/objects/film", at: .zero,
                    why: "the object was replaced")))
    }

    @Test(arguments: [true, false]) func `a switch says the same of every front end`(
        breaks: Bool
    ) {
        let bench = DocrootBench(ServerSettings(breaksReaders: breaks))
        bench.ask("PUT", "/dav/a", body: bytes(3 << 20))
        bench.readersTake = false
        bench.ask("GET", "/dav/a")
        bench.ask("PUT", "/dav/a", body: bytes(10, of: 2), on: 2)
        #expect(bench.aborted == (breaks ? [1] : []))
    }

    @Test func `the last commit wins, whoever began first`() {
        let bench = DocrootBench()
        let (one, two) = (started(bench), started(bench))
        bench.ask("PUT", one + "/data", range("bytes=0-9/10"), body: bytes(10))
        bench.ask("PUT", two + "/data", range("bytes=0-9/10"), body: bytes(10, of: 2))
        bench.ask("POST", two + "/status/committed")
        bench.ask("POST", one + "/status/committed")
        #expect(bench.ask("GET", Self.body)?.ranges.map(Segment.content) == bytes(10))
    }

    @Test func `a cancelled upload is gone`() {
        let bench = DocrootBench()
        let upload = started(bench)
        #expect(bench.ask("POST", upload + "/status/cancelled")?.status == 204)
        let reply = bench.ask("POST", upload + "/status/committed")
        #expect(reply?.status == 404)
        #expect(reply?.text.contains("\"errorCode\":\"OBJECT_BODY_NOT_FOUND\"") == true)
    }

    @Test(arguments: [
        "", "bytes=0-9", "bytes=9-0/20", "bytes=0-20/20", "bytes=0-8/20", "items=0-9/20",
        "bytes=a-9/20", "bytes=0-9/*",
    ])
    func `a range that is none is refused`(field: String) {
        let bench = DocrootBench()
        let upload = started(bench)
        let reply = bench.ask("PUT", upload + "/data", range(field), body: bytes(10))
        #expect(reply?.status == 400)
    }
}
