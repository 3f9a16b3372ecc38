import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Faults that take effect before anybody has looked at a request.
@Suite struct FaultyRequestTests {
    @Test(arguments: [200, 302, 403, 409, 410, 423, 429, 500, 503, 507])
    func `any status can be the answer, and nothing is done`(status: Int) {
        let bench = DocrootBench(FaultRule(name: "no", .answer(status: status, nil)))
        let reply = bench.ask("PUT", "/dav/a", body: bytes(10))
        #expect(reply?.status == status)
        #expect(reply?.text == "this is a fault, on purpose\n")
        #expect(bench.published == 0)
        #expect(bench.effects == ["no 1 PUT /dav/a: it is answered with \(status)"])
        bench.fault("no", on: false)
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10))?.status == 201)
    }

    @Test(arguments: [423, 429, 503])
    func `a client hears when to come again, in seconds and as a date`(status: Int) {
        let bench = DocrootBench(
            FaultRule(
                name: "soon", .answer(status: status, .seconds(7)),
                occasion: FaultOccasion(times: 1)),
            FaultRule(name: "then", .answer(status: status, .date(afterSeconds: 100))))
        #expect(bench.ask("GET", "/dav/a")?.head.fields["Retry-After"] == "7")
        bench.now = .start + .seconds(20)
        let date = bench.ask("GET", "/dav/a")?.head.fields["Retry-After"]
        #expect(date == "Thu, 01 Jan 1970 00:02:00 GMT")
    }

    @Test func `a refusal is said in the language of its front end`() {
        let bench = DocrootBench(FaultRule(name: "busy", .answer(status: 503, .seconds(5))))
        let tus = bench.ask("HEAD", "/tus/1", [("Tus-Resumable", "1.0.0")])
        #expect(tus?.status == 503)
        #expect(tus?.head.fields["Tus-Resumable"] == "1.0.0")
        #expect(tus?.head.fields["Retry-After"] == "5")
        let kii = bench.ask("GET", KiiTests.body)
        #expect(kii?.text.contains("\"errorCode\"") == true)
    }

    @Test func `416 names the size to a reader, whatever range it wants`() {
        let bench = DocrootBench(FaultRule(name: "416", .answer(status: 416, nil), from: nil))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        bench.fault("416", on: true)
        for range in [[], [("Range", "bytes=5-9")]] {
            let reply = bench.ask("GET", "/dav/a", range + [("If-Range", "\"v0\"")])
            #expect(reply?.status == 416)
            #expect(reply?.head.fields["Content-Range"] == "bytes */1000")
        }
        #expect(bench.ask("PUT", "/dav/b", body: bytes(10))?.status == 416)
        #expect(bench.effects.count == 3)
    }

    @Test func `a connection is reset, or closed, before there is an answer`() {
        let once = FaultOccasion(times: 1)
        let bench = DocrootBench(
            FaultRule(name: "reset", .reset, occasion: once),
            FaultRule(name: "close", .close, occasion: once))
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10), on: 1) == nil)
        #expect(bench.aborted == [1])
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10), on: 2) == nil)
        #expect(bench.closed == [2])
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10), on: 3)?.status == 201)
        #expect(
            bench.effects == [
                "reset 1 PUT /dav/a: the connection is reset before an answer",
                "close 2 PUT /dav/a: the connection is closed before an answer",
            ])
        #expect(bench.raw(on: 1) + bench.raw(on: 2) == "")
    }

    @Test func `credentials that expire stay worthless until the fault is over`() {
        let account = ServerUser(
            name: "ada", password: nil,
            tokens: [.init(text: "t0", expires: nil), .init(text: "t1", expires: nil)],
            docroot: .root, quota: nil)
        let bench = DocrootBench(
            FaultRule(name: "late", .expireToken, occasion: FaultOccasion(times: 1)),
            accounts: [account])
        let first = bench.ask("GET", "/dav/", [("Authorization", "Bearer t0")])
        #expect(first?.status == 401)
        #expect(first?.head.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
        #expect(bench.ask("GET", "/dav/", [("Authorization", "Bearer t0")])?.status == 401)
        #expect(bench.ask("GET", "/dav/a", [("Authorization", "Bearer t1")])?.status == 404)
        #expect(
            bench.effects == [
                "late 1 GET /dav/: the token expires",
                "late 1 GET /dav/: the token is good no more",
            ])
        bench.fault("late", on: false)
        #expect(bench.ask("GET", "/dav/a", [("Authorization", "Bearer t0")])?.status == 404)
    }

    @Test func `a range is ignored, and all of the object comes`() {
        let bench = DocrootBench(FaultRule(name: "whole", .ignore(.ranges)))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        let reply = bench.ask("GET", "/dav/a", [("Range", "bytes=900-")])
        #expect(reply?.status == 200)
        #expect(reply?.ranges.map(\.length) == [ByteCount(1_000)])
        #expect(bench.effects == ["whole 1 GET /dav/a: its Range is ignored"])
    }

    @Test func `the condition of a range is ignored, and parts of two bodies meet`() {
        let bench = DocrootBench(FaultRule(name: "blind", .ignore(.rangeConditions), from: nil))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        bench.ask("PUT", "/dav/a", body: bytes(1_000, of: 2))
        let fields = [("Range", "bytes=900-"), ("If-Range", "\"v0\"")]
        #expect(bench.ask("GET", "/dav/a", fields)?.status == 200)
        bench.fault("blind", on: true)
        let reply = bench.ask("GET", "/dav/a", fields)
        #expect(reply?.status == 206)
        #expect(reply?.head.fields["Content-Range"] == "bytes 900-999/1000")
        #expect(bench.effects == ["blind 1 GET /dav/a: its If-Range is ignored"])
    }

    @Test func `a key of idempotency is ignored, and the object is published twice`() {
        let bench = DocrootBench(FaultRule(name: "twice", .ignore(.idempotencyKeys), from: nil))
        let key = [("Idempotency-Key", "k")]
        bench.ask("PUT", "/dav/a", key, body: bytes(10))
        bench.ask("PUT", "/dav/a", key, body: bytes(10))
        #expect(bench.published == 1)
        bench.fault("twice", on: true)
        bench.ask("PUT", "/dav/a", key, body: bytes(10))
        #expect(bench.published == 2)
        #expect(bench.effects == ["twice 1 PUT /dav/a: its Idempotency-Key is ignored"])
    }

    @Test(arguments: [
        ("bytes=100-199", "bytes 99-198/1000", "bytes=99-198"),
        ("bytes=0-9", "bytes 1-10/1000", "bytes=1-10"),
        ("bytes=900-", "bytes 899-999/1000", "bytes=899-"),
    ])
    func `another range comes than was asked for`(asked: String, got: String, words: String) {
        let bench = DocrootBench(FaultRule(name: "beside", .sendAnotherRange(.least)))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        let reply = bench.ask("GET", "/dav/a", [("Range", asked)])
        #expect(reply?.status == 206)
        #expect(reply?.head.fields["Content-Range"] == got)
        let first = got.dropFirst(6).prefix { $0 != "-" }
        #expect(reply?.ranges.first?.offset == ByteCount(UInt64(first) ?? 0))
        #expect(bench.effects == ["beside 1 GET /dav/a: \(words) is sent instead of \(asked)"])
    }

    @Test(arguments: [
        ("bytes=500-599", Fault.RangeShift.earlier(ByteCount(60)), "bytes 440-539/1000"),
        ("bytes=500-599", .later(ByteCount(60)), "bytes 560-659/1000"),
        ("bytes=500-", .earlier(ByteCount(700)), "bytes 0-999/1000"),
        ("bytes=0-", .earlier(ByteCount(60)), "bytes 60-999/1000"),
        ("bytes=500-", .later(ByteCount(60)), "bytes 560-999/1000"),
    ])
    func `another range is so far away`(asked: String, shift: Fault.RangeShift, got: String) {
        let bench = DocrootBench(FaultRule(name: "beside", .sendAnotherRange(shift)))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        let reply = bench.ask("GET", "/dav/a", [("Range", asked)])
        #expect(reply?.status == 206)
        #expect(reply?.head.fields["Content-Range"] == got)
        #expect(bench.effects.count == 1)
    }

    private static func append(at offset: UInt64 = 0) -> [(String, String)] {
        FaultyBodyTests.version + [
            ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "\(offset)"),
        ]
    }

    @Test func `an upload stays locked when its writer breaks off, for a while`() {
        let bench = DocrootBench(
            FaultRule(
                name: "lock", .keepLock(.seconds(5)), occasion: FaultOccasion(times: 1)))
        let resource = FaultyBodyTests.create(bench)
        bench.begin("PATCH", resource, Self.append(), length: ByteCount(1_000))
        bench.send(bytes(300))
        #expect(bench.effects == [])
        bench.leave(1)
        #expect(bench.effects == ["lock 1 PATCH \(resource): the upload stays locked for 5 s"])
        let head = [("Tus-Resumable", "1.0.0")]
        #expect(bench.ask("HEAD", resource, head, on: 2)?.status == 423)
        #expect(bench.ask("PATCH", resource, Self.append(), on: 2)?.status == 423)
        // Another upload is not locked, nor is this one for ever.
        #expect(FaultyBodyTests.create(bench, on: 2) != resource)
        bench.wait(.milliseconds(4_999))
        #expect(bench.ask("HEAD", resource, head, on: 2)?.status == 423)
        bench.wait(.milliseconds(1))
        #expect(FaultyBodyTests.offset(bench, resource, on: 2) == "300")
    }

    @Test func `of two writers that break off, only one is locked out if that is all there is`() {
        let bench = DocrootBench(
            FaultRule(
                name: "lock", .keepLock(.seconds(5)), occasion: FaultOccasion(times: 1)))
        let resources = [1, 2].map { FaultyBodyTests.create(bench, on: $0) }
        for (connection, resource) in zip([UInt32(1), 2], resources) {
            bench.begin(
                "PATCH", resource, Self.append(), length: ByteCount(1_000), on: connection)
        }
        bench.leave(1)
        bench.leave(2)
        #expect(bench.effects.count == 1)
        #expect(FaultyBodyTests.offset(bench, resources[0], on: 3) == nil)
        #expect(FaultyBodyTests.offset(bench, resources[1], on: 3) == "0")
    }

    @Test func `an append that ends in order locks nothing, and no lock outlives its rule`() {
        let bench = DocrootBench(FaultRule(name: "lock", .keepLock(.seconds(5))))
        let resource = FaultyBodyTests.create(bench)
        #expect(FaultyBodyTests.patch(bench, resource, length: 400)?.status == 204)
        bench.leave(1)
        #expect(FaultyBodyTests.offset(bench, resource, on: 2) == "400")
        bench.begin(
            "PATCH", resource, Self.append(at: 400), length: ByteCount(600), on: 2)
        bench.leave(2)
        #expect(FaultyBodyTests.offset(bench, resource, on: 3) == nil)
        bench.fault("lock", on: false)
        #expect(FaultyBodyTests.offset(bench, resource, on: 3) == "400")
    }

    @Test func `whoever keeps more than a quota is refused, until it is lifted`() {
        let bench = DocrootBench(FaultRule(name: "quota", .quota(ByteCount(100))))
        #expect(bench.ask("PUT", "/dav/a", body: bytes(90))?.status == 201)
        #expect(bench.ask("PUT", "/dav/b", body: bytes(11))?.status == 507)
        #expect(bench.ask("PUT", "/dav/b", body: bytes(10))?.status == 201)
        #expect(bench.effects.last == "quota 1 PUT /dav/b: 100 B may be kept")
        bench.fault("quota", on: false)
        #expect(bench.ask("PUT", "/dav/c", body: bytes(11))?.status == 201)
    }

    @Test func `a full disk has no room for what has no body either, and later has`() {
        let bench = DocrootBench(FaultRule(name: "full", .fillDisk))
        for (method, target) in [("MKCOL", "/dav/d"), ("POST", "/tus"), ("PUT", "/dav/a")] {
            #expect(bench.ask(method, target)?.status == 507, "\(method)")
        }
        #expect(bench.ask("GET", "/dav/a")?.status == 404)
        #expect(bench.effects.first == "full 1 MKCOL /dav/d: the disk is full")
        bench.fault("full", on: false)
        #expect(bench.ask("MKCOL", "/dav/d")?.status == 201)
    }
}
