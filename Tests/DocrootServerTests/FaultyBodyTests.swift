import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer
@testable import Simulation

/// Faults in the middle of a body, on its way in and on its way out.
@Suite struct FaultyBodyTests {
    static let version = [("Tus-Resumable", "1.0.0")]

    /// Makes an upload of 1 000 bytes by tus; where it is.
    static func create(_ bench: DocrootBench, on connection: UInt32 = 1) -> String {
        let reply = bench.ask(
            "POST", "/tus",
            version + [("Upload-Length", "1000"), ("Upload-Metadata", "filename YQ==")],
            on: connection)
        return reply?.head.fields["Location"] ?? "?"
    }

    static func patch(
        _ bench: DocrootBench, _ resource: String, at offset: UInt64 = 0, length: UInt64 = 1_000,
        _ fields: [(String, String)] = [], on connection: UInt32 = 1
    ) -> DocrootBench.Reply? {
        bench.ask(
            "PATCH", resource,
            version + fields + [
                ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "\(offset)"),
            ], body: bytes(length, at: offset), on: connection)
    }

    static func offset(_ bench: DocrootBench, _ resource: String, on connection: UInt32) -> String?
    {
        bench.ask("HEAD", resource, version, on: connection)?.head.fields["Upload-Offset"]
    }

    // MARK: In

    @Test(arguments: [Fault.reset, .close])
    func `a connection ends after exactly so many bytes, and they are kept`(fault: Fault) {
        let bench = DocrootBench(
            FaultRule(
                name: "cut", fault, at: .received(ByteCount(400)),
                occasion: FaultOccasion(times: 1)))
        let resource = Self.create(bench)
        #expect(Self.patch(bench, resource) == nil)
        #expect(fault == .reset ? bench.aborted == [1] : bench.closed == [1])
        #expect(Self.offset(bench, resource, on: 2) == "400")
        let words = fault == .reset ? "reset" : "closed"
        #expect(
            bench.effects == [
                "cut 1 PATCH \(resource): the connection is \(words) after 400 B of its body"
            ])
        #expect(Self.patch(bench, resource, at: 400, length: 600, on: 2)?.status == 204)
        #expect(bench.published == 1)
    }

    @Test func `a client that sends byte by byte is cut at the same place`() {
        let bench = DocrootBench(FaultRule(name: "cut", .reset, at: .received(ByteCount(3))))
        let resource = Self.create(bench)
        bench.begin(
            "PATCH", resource,
            Self.version + [
                ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0"),
            ], length: ByteCount(1_000))
        for place: UInt64 in 0..<6 { bench.send(bytes(1, at: place)) }
        #expect(bench.aborted == [1])
        #expect(Self.offset(bench, resource, on: 2) == "3")
    }

    @Test func `a status comes in the middle of a body, and the connection ends`() {
        let bench = DocrootBench(
            FaultRule(
                name: "busy", .answer(status: 503, .seconds(2)), at: .received(ByteCount(400))))
        let resource = Self.create(bench)
        let reply = Self.patch(bench, resource)
        #expect(reply?.status == 503)
        #expect(reply?.head.fields["Retry-After"] == "2")
        #expect(bench.closed == [1])
        #expect(Self.offset(bench, resource, on: 2) == "400")
        #expect(
            bench.effects == [
                "busy 1 PATCH \(resource): it is answered with 503 after 400 B of its body"
            ])
    }

    @Test func `a token expires in the middle of a chunk, and for good`() {
        let bench = DocrootBench(
            FaultRule(
                name: "late", .expireToken, at: .received(ByteCount(400)),
                occasion: FaultOccasion(times: 1)))
        let resource = Self.create(bench)
        let token = [("Authorization", "Bearer t0")]
        #expect(Self.patch(bench, resource, token)?.status == 401)
        #expect(bench.closed == [1])
        #expect(Self.patch(bench, resource, at: 400, length: 600, token, on: 2)?.status == 401)
        let fresh = [("Authorization", "Bearer t1")]
        #expect(Self.patch(bench, resource, at: 400, length: 600, fresh, on: 3)?.status == 204)
        #expect(bench.published == 1)
    }

    @Test func `a disk is full after so many bytes, and later it is not`() {
        let bench = DocrootBench(
            FaultRule(name: "full", .fillDisk, at: .received(ByteCount(400))))
        let resource = Self.create(bench)
        #expect(Self.patch(bench, resource)?.status == 507)
        #expect(
            bench.effects == ["full 1 PATCH \(resource): the disk is full after 400 B of its body"])
        let offset = UInt64(Self.offset(bench, resource, on: 2) ?? "") ?? 0
        #expect(offset <= 400)
        bench.fault("full", on: false)
        let rest = Self.patch(bench, resource, at: offset, length: 1_000 - offset, on: 2)
        #expect(rest?.status == 204)
        #expect(bench.published == 1)
    }

    @Test func `a disk that becomes full stops the body that is coming`() {
        let bench = DocrootBench(FaultRule(name: "full", .fillDisk, from: nil))
        bench.begin("PUT", "/dav/a", length: ByteCount(1_000))
        bench.send(bytes(500))
        bench.fault("full", on: true)
        bench.send(bytes(500, at: 500))
        #expect(bench.reply()?.status == 507)
        #expect(bench.published == 0)
    }

    @Test func `nothing more is taken for a while, and then the rest is`() {
        let bench = DocrootBench(
            FaultRule(name: "stall", .stall(.seconds(5)), at: .received(ByteCount(400))))
        let resource = Self.create(bench)
        #expect(Self.patch(bench, resource) == nil)
        #expect(bench.held == [1])
        #expect(bench.staged(UploadID(1)) == ByteCount(400))
        bench.wait(.milliseconds(4_999))
        #expect(bench.reply() == nil)
        bench.wait(.milliseconds(1))
        #expect(bench.reply()?.status == 204)
        #expect(bench.held.isEmpty)
        #expect(
            bench.effects == [
                "stall 1 PATCH \(resource): nothing more is taken after 400 B of its body"
            ])
    }

    @Test func `nothing more is taken until the fault is switched off`() {
        let bench = DocrootBench(FaultRule(name: "stall", .stall(nil), at: .received(.zero)))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        bench.wait(.seconds(1_000))
        #expect(bench.reply() == nil)
        bench.fault("stall", on: false)
        #expect(bench.reply()?.status == 201)
    }

    @Test func `who leaves while nothing is taken leaves nothing behind`() {
        let bench = DocrootBench(FaultRule(name: "stall", .stall(nil), at: .received(.zero)))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        bench.leave(1)
        #expect(bench.server.uploads.isEmpty)
        bench.fault("stall", on: false)
        #expect(bench.published == 0)
    }

    @Test func `a body is taken at a rate, from an offset on`() {
        let rate = Bitrate(bitsPerSecond: 800)
        let bench = DocrootBench(
            FaultRule(name: "slow", .slow(rate), at: .received(ByteCount(500))))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        let staged = (0..<6).map { _ in
            let staged = bench.staged(UploadID(1)).bytes
            bench.wait(.seconds(1))
            return staged
        }
        // The first ten of each second come at once.
        #expect(staged == [510, 610, 710, 810, 910, 0])
        #expect(bench.reply()?.status == 201)
        #expect(
            bench.effects == ["slow 1 PUT /dav/a: it is taken at 800 bit/s after 500 B of its body"]
        )
    }

    // MARK: Out

    @Test(arguments: [Fault.reset, .close])
    func `a reader gets exactly so many bytes`(fault: Fault) {
        let bench = DocrootBench(FaultRule(name: "cut", fault, at: .sent(ByteCount(700))))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        let reply = bench.ask("GET", "/dav/a")
        #expect(reply?.status == 200)
        #expect(reply?.head.fields["Content-Length"] == "1000")
        #expect(reply?.ranges.map(\.length) == [ByteCount(700)])
        #expect(fault == .reset ? bench.aborted == [1] : bench.closed == [1])
        let words = fault == .reset ? "reset" : "closed"
        #expect(
            bench.effects == [
                "cut 1 GET /dav/a: the connection is \(words) after 700 B of the answer"
            ])
    }

    @Test func `nothing more is sent for a while, and then the rest is`() {
        let bench = DocrootBench(
            FaultRule(name: "stall", .stall(.seconds(5)), at: .sent(ByteCount(700))))
        bench.ask("PUT", "/dav/a", body: bytes(1_000))
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(\.length) == [ByteCount(700)])
        bench.wait(.milliseconds(4_999))
        #expect(bench.rest(on: 1).length == .zero)
        bench.wait(.milliseconds(1))
        #expect(bench.rest(on: 1).length == ByteCount(300))
        #expect(
            bench.effects == ["stall 1 GET /dav/a: nothing more is sent after 700 B of the answer"])
    }

    @Test func `an object is sent at a rate`() {
        let rate = Bitrate(bitsPerSecond: 8_000)
        let bench = DocrootBench(FaultRule(name: "slow", .slow(rate), at: .sent(.zero)))
        bench.ask("PUT", "/dav/a", body: bytes(2_500))
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(\.length) == [ByteCount(100)])
        let sent = (0..<3).map { _ in
            bench.wait(.seconds(1))
            return bench.rest(on: 1).length.bytes
        }
        #expect(sent == [1_000, 1_000, 400])
        #expect(
            bench.effects == ["slow 1 GET /dav/a: it is sent at 8 kbit/s after 0 B of the answer"])
    }
}
