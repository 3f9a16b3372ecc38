import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Faults in answers: all was done, and the client hears something else, or nothing.
@Suite struct FaultyAnswerTests {
    private func bench(_ fault: Fault, times: UInt64 = 1) -> DocrootBench {
        let bench = DocrootBench(
            FaultRule(
                name: "odd", fault, at: .answer, occasion: FaultOccasion(times: times), from: nil))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        bench.fault("odd", on: true)
        return bench
    }

    @Test(arguments: [Fault.reset, .close])
    func `an answer is lost, and what it would have said is true`(fault: Fault) {
        let bench = bench(fault)
        #expect(bench.ask("PUT", "/dav/b", body: bytes(10)) == nil)
        #expect(bench.published == 2)
        #expect(fault == .reset ? bench.aborted == [1] : bench.closed == [1])
        let words = fault == .reset ? "reset" : "closed"
        let effect = "the connection is \(words) instead of the answer 201"
        #expect(bench.effects == ["odd 1 PUT /dav/b: \(effect)"])
        #expect(bench.ask("GET", "/dav/b", on: 2)?.status == 200)
    }

    @Test func `the answer to an append is lost, and its bytes are there`() {
        let bench = DocrootBench(
            FaultRule(
                name: "odd", .reset, at: .answer, route: FaultRoute(method: "PATCH"),
                occasion: FaultOccasion(times: 1)))
        let resource = FaultyBodyTests.create(bench)
        #expect(FaultyBodyTests.patch(bench, resource) == nil)
        #expect(FaultyBodyTests.offset(bench, resource, on: 2) == "1000")
        #expect(bench.published == 1)
    }

    @Test func `answers are lost of what has changed something, and of nothing else`() {
        let bench = DocrootBench(FaultRule(name: "odd", .loseAnswer))
        #expect(bench.ask("GET", "/dav/a")?.status == 404)
        #expect(bench.ask("PUT", "/dav/nowhere/a", body: bytes(10))?.status == 409)
        #expect(bench.effects == [])
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10)) == nil)
        #expect(
            bench.effects == ["odd 1 PUT /dav/a: the connection is reset instead of the answer 201"]
        )
        #expect(bench.ask("GET", "/dav/a", on: 2)?.status == 200)
        #expect(bench.ask("OPTIONS", "/dav/a", on: 2)?.status == 200)
        #expect(bench.ask("DELETE", "/dav/a", on: 2) == nil)
        #expect(bench.ask("HEAD", "/dav/a", on: 3)?.status == 404)
    }

    @Test(arguments: [204, 304])
    func `an answer that may have no body has none`(status: Int) {
        let answer = Answer(status, text: "this is a fault, on purpose")
        #expect(answer.body.isEmpty)
        #expect(answer.head.fields["Content-Length"] == nil)
        #expect(!Answer(200, text: "well").body.isEmpty)
    }

    @Test func `only what may change something is counted for an answer that is lost`() {
        let bench = DocrootBench(
            FaultRule(name: "odd", .loseAnswer, occasion: FaultOccasion(first: 2, last: 2)))
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10))?.status == 201)
        #expect(bench.ask("GET", "/dav/a")?.status == 200)
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10)) == nil)
    }

    @Test func `an object is lost, and nothing of it stays open`() {
        let bench = bench(.reset)
        #expect(bench.ask("GET", "/dav/a") == nil)
        #expect(bench.aborted == [1])
        #expect(bench.ask("GET", "/dav/a", on: 2)?.ranges.map(\.length) == [ByteCount(1_000)])
    }

    @Test func `an answer comes twice`() {
        let bench = bench(.repeatAnswer)
        bench.begin("PUT", "/dav/b", length: ByteCount(10))
        bench.send(bytes(10))
        let once = "HTTP/1.1 201 Created\r\nETag: \"v2\"\r\nContent-Length: 0\r\n\r\n"
        #expect(bench.raw() == once + once)
        #expect(bench.effects == ["odd 1 PUT /dav/b: the answer 201 is said twice"])
    }

    @Test func `an object comes twice`() {
        let bench = bench(.repeatAnswer)
        let reply = bench.ask("GET", "/dav/a")
        #expect(reply?.ranges.map(\.length) == [ByteCount(1_000), ByteCount(1_000)])
        #expect(reply?.text.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
    }

    @Test func `an object comes in chunks, and says no length`() {
        let bench = bench(.sendInChunks)
        let reply = bench.ask("GET", "/dav/a")
        #expect(reply?.ranges.map(\.length) == [ByteCount(1_000)])
        #expect(reply?.head.fields["Transfer-Encoding"] == "chunked")
        #expect(reply?.head.fields["Content-Length"] == nil)
        #expect(reply?.text.hasSuffix("3e8\r\n\r\n0\r\n\r\n") == true)
        #expect(bench.effects == ["odd 1 GET /dav/a: the answer 200 comes in chunks"])
        #expect(bench.closed.isEmpty)
    }

    @Test func `an object without a length ends with its connection`() {
        let bench = bench(.sendField("Content-Length", nil))
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(\.length) == [ByteCount(1_000)])
        #expect(bench.closed == [1])
    }

    @Test func `a failure is said of what has succeeded`() {
        let bench = bench(.answer(status: 500, nil))
        #expect(bench.ask("PUT", "/dav/b", body: bytes(10))?.status == 500)
        #expect(bench.published == 2)
        #expect(bench.effects == ["odd 1 PUT /dav/b: the answer 201 becomes 500"])
        let other = self.bench(.answer(status: 500, nil))
        #expect(other.ask("GET", "/dav/a")?.status == 500)
        #expect(other.ask("GET", "/dav/a")?.status == 200)
    }

    @Test func `an answer waits, and what is asked meanwhile waits behind it`() {
        let bench = bench(.stall(.seconds(3)))
        #expect(bench.ask("PUT", "/dav/b", body: bytes(10)) == nil)
        #expect(bench.published == 2)
        #expect(bench.ask("HEAD", "/dav/a") == nil)
        bench.wait(.milliseconds(2_999))
        #expect(bench.raw() == "")
        bench.wait(.milliseconds(1))
        let words = bench.raw()
        #expect(words.hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(words.contains("HTTP/1.1 200 OK\r\n"))
        #expect(bench.effects == ["odd 1 PUT /dav/b: the answer 201 waits"])
    }

    @Test func `an object waits, and who leaves meanwhile leaves nothing open`() {
        let bench = bench(.stall(nil), times: 2)
        #expect(bench.ask("GET", "/dav/a") == nil)
        #expect(bench.ask("GET", "/dav/a", on: 2) == nil)
        bench.leave(2)
        bench.wait(.seconds(1_000))
        #expect(bench.reply() == nil)
        bench.fault("odd", on: false)
        #expect(bench.reply()?.ranges.map(\.length) == [ByteCount(1_000)])
        #expect(bench.aborted.isEmpty)
    }

    @Test func `an object seems to have changed`() {
        let bench = bench(.sendAnotherTag, times: .max)
        for (method, target) in [("GET", "/dav/a"), ("HEAD", "/dav/a")] {
            let reply = bench.ask(method, target)
            #expect(reply?.head.fields["ETag"] == "\"v1-changed\"")
        }
        #expect(
            bench.effects[0] == "odd 1 GET /dav/a: the answer 200 says \"v1-changed\", not \"v1\"")
        bench.fault("odd", on: false)
        #expect(bench.ask("GET", "/dav/a")?.head.fields["ETag"] == "\"v1\"")
    }

    @Test func `nothing tells an object from another`() {
        let bench = bench(.sendField("ETag", nil), times: .max)
        for method in ["GET", "HEAD"] {
            let reply = bench.ask(method, "/dav/a")
            #expect(reply?.status == 200)
            #expect(reply?.head.fields["ETag"] == nil)
        }
        #expect(
            bench.effects[0]
                == "odd 1 GET /dav/a: the answer 200 does not say that its ETag is \"v1\"")
        bench.fault("odd", on: false)
        #expect(bench.ask("GET", "/dav/a")?.head.fields["ETag"] == "\"v1\"")
    }

    @Test func `the right bytes come under a wrong range`() {
        let bench = bench(.sendWrongContentRange)
        let reply = bench.ask("GET", "/dav/a", [("Range", "bytes=100-199")])
        #expect(reply?.status == 206)
        #expect(reply?.head.fields["Content-Range"] == "bytes 101-200/1001")
        #expect(reply?.ranges.first?.offset == ByteCount(100))
        #expect(
            bench.effects == [
                "odd 1 GET /dav/a: the answer 206 says bytes 101-200/1001, not bytes 100-199/1000"
            ])
    }

    // MARK: Malformed

    static let etag = "ETag: \"v2\"\r\n"
    static let malformed: [(kind: Malformation, bytes: String, ends: Bool)] = [
        (.statusLine, "HTTP/1.1 fine 201\r\n\(etag)Content-Length: 0\r\n\r\n", false),
        (
            .headerWithoutColon,
            "HTTP/1.1 201 Created\r\n\(etag)Content-Length: 0\r\nthis is no field\r\n\r\n", false
        ),
        (.wrongContentLength, "HTTP/1.1 201 Created\r\n\(etag)Content-Length: 10\r\n\r\n", true),
        (
            .twoContentLengths,
            "HTTP/1.1 201 Created\r\n\(etag)Content-Length: 0\r\nContent-Length: 10\r\n\r\n", false
        ),
        (
            .badChunk,
            "HTTP/1.1 201 Created\r\n\(etag)Transfer-Encoding: chunked\r\n\r\nsome\r\n", true
        ),
        (.halfHead, "HTTP/1.1 201 Created\r\nETag: \"v2\"\r\nContent-Leng", true),
    ]

    @Test(arguments: malformed)
    func `an answer is no HTTP`(kind: Malformation, bytes: String, ends: Bool) {
        let bench = bench(.malformed(kind))
        bench.begin("PUT", "/dav/b", length: ByteCount(10))
        bench.send(DocrootServerTests.bytes(10))
        #expect(bench.raw() == bytes)
        #expect(bench.closed == (ends ? [1] : []))
        #expect(bench.effects == ["odd 1 PUT /dav/b: the answer 201 has \(kind.rawValue)"])
    }

    @Test func `an answer is rubbish, and no client takes it for one`() {
        let bench = bench(.malformed(.garbage))
        #expect(bench.ask("GET", "/dav/a") == nil)
        #expect(bench.raw().unicodeScalars.count > 30)
        #expect(bench.closed == [1])
        #expect(bench.effects == ["odd 1 GET /dav/a: the answer 200 has garbage"])
    }

    @Test func `an object comes behind a head that lies about it`() {
        let bench = bench(.malformed(.wrongContentLength))
        let reply = bench.ask("GET", "/dav/a")
        #expect(reply?.head.fields["Content-Length"] == "1010")
        #expect(reply?.ranges.map(\.length) == [ByteCount(1_000)])
        #expect(bench.closed == [1])
    }
}
