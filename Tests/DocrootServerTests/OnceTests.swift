import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Behaviour U6 and S8: an upload by a signed address, and at most one publication.
@Suite struct OnceTests {
    private func address(_ bench: DocrootBench, of path: String = "a") -> String {
        bench.ask("POST", "/once/\(path)", on: 9)?.head.fields["Location"] ?? ""
    }

    @Test func `an address that was signed takes the object`() {
        let bench = DocrootBench()
        let url = address(bench, of: "x%20y/%C3%BC")
        #expect(bench.ask("PUT", url, body: bytes(10))?.status == 201)
        #expect(
            bench.ask("GET", "/dav/x%20y/%C3%BC")?.ranges.map(Segment.content) == bytes(10))
    }

    @Test func `an address is good for its object and its time alone`() {
        let bench = DocrootBench()
        let signed = address(bench)
        let elsewhere = signed.replacing("/once/a?", with: "/once/b?")
        #expect(bench.ask("PUT", elsewhere, body: bytes(10))?.status == 403)
        #expect(bench.ask("PUT", "/once/a", body: bytes(10))?.status == 403)
        let longer = signed.replacing("expires=", with: "expires=9")
        #expect(bench.ask("PUT", longer, body: bytes(10))?.status == 403)
        bench.now = .start + .seconds(900)
        let late = bench.ask("PUT", signed, body: bytes(10))
        #expect(late?.status == 401)
        #expect(late?.text == "the address was good until Thu, 01 Jan 1970 00:15:00 GMT\n")
        #expect(bench.published == 0)
    }

    @Test(arguments: ["once", "dav"]) func `the same upload twice is published once`(
        place: String
    ) {
        let bench = DocrootBench()
        let target = place == "once" ? address(bench) : "/dav/a"
        let key = [("Idempotency-Key", "k1")]
        #expect(bench.ask("PUT", target, key, body: bytes(10))?.status == 201)
        let again = bench.ask("PUT", target, key, body: bytes(10), on: 2)
        #expect(again?.status == 201)
        #expect(again?.head.fields["Idempotency-Replayed"] == "?1")
        #expect(bench.published == 1)
        #expect(bench.ask("PUT", target, key, body: bytes(11), on: 3)?.status == 422)
        let other = [("Idempotency-Key", "k2")]
        #expect(bench.ask("PUT", target, other, body: bytes(10), on: 4)?.head.status ?? 0 < 300)
        #expect(bench.published == 2)
    }

    @Test func `an upload that is tried again while the first is under way takes its place`() {
        let bench = DocrootBench()
        let key = [("Idempotency-Key", "k1")]
        bench.begin("PUT", "/dav/a", key, length: ByteCount(10))
        bench.send(bytes(5))
        #expect(bench.ask("PUT", "/dav/a", key, body: bytes(10), on: 2)?.status == 201)
        #expect(bench.closed == [1])
        #expect(bench.published == 1)
    }

    @Test func `a key that was used is remembered by the next server, and not for ever`() throws {
        let bench = DocrootBench(ServerSettings(uploadLifetime: .seconds(60)))
        let key = [("Idempotency-Key", "a key, with % and blanks")]
        bench.ask("PUT", "/dav/a", key, body: bytes(10))
        let record = try #require(bench.kept.last)
        #expect(UploadRecord(line: record.line) == record)
        // A loss of power may keep any beginning of it.
        for length in 0..<record.line.count {
            #expect(UploadRecord(line: String(record.line.prefix(length))) == nil)
        }
        bench.restart(with: [
            RestoredUpload(record: record, staged: ByteCount(10), isPublished: true)
        ])
        #expect(bench.ask("PUT", "/dav/a", key, body: bytes(10), on: 2)?.status == 201)
        #expect(bench.published == 1)
        bench.wake(at: .start + .seconds(61))
        bench.ask("PUT", "/dav/a", key, body: bytes(10), on: 2)
        #expect(bench.published == 2)
    }

    @Test func `the next server answers a repeated upload as the first did`() {
        let bench = DocrootBench()
        let key = [("Idempotency-Key", "k1")]
        bench.ask("PUT", "/dav/a", body: bytes(3))
        let first = bench.ask("PUT", "/dav/a", key, body: bytes(10))
        #expect(first?.status == 204 && first?.head.fields["ETag"] != nil)
        bench.kill()
        let again = bench.ask("PUT", "/dav/a", key, body: bytes(10), on: 2)
        #expect(again?.status == 204)
        #expect(again?.head.fields["ETag"] == first?.head.fields["ETag"])
        #expect(again?.head.fields["Idempotency-Replayed"] == "?1")
        #expect(bench.published == 2)
    }

    @Test func `a record that cannot be kept after the publication takes nothing back`() {
        let bench = DocrootBench()
        let key = [("Idempotency-Key", "k1")]
        bench.ask("PUT", "/dav/a", key, body: bytes(10))
        bench.fail(1)
        #expect(bench.ask("PUT", "/dav/a", key, body: bytes(10), on: 2)?.status == 201)
        #expect(bench.published == 1)
    }

    @Test func `the next server knows the length of an upload in chunks`() {
        let bench = DocrootBench()
        let key = [("Idempotency-Key", "k1")]
        bench.begin("PUT", "/dav/a", key + [("Transfer-Encoding", "chunked")], length: .zero)
        bench.send([.bytes(Array("3\r\nabc\r\n0\r\n\r\n".utf8))])
        #expect(bench.published == 1)
        bench.kill()
        #expect(bench.ask("PUT", "/dav/a", key, body: bytes(3), on: 2)?.status == 201)
        #expect(bench.ask("PUT", "/dav/a", key, body: bytes(4), on: 3)?.status == 422)
        #expect(bench.published == 1)
    }

    @Test func `a server without accounts names no user in an address, and takes it`() {
        let bench = DocrootBench()
        let url = address(bench)
        #expect(!url.contains("user="))
        #expect(bench.ask("PUT", url, body: bytes(1))?.status == 201)
    }
}
