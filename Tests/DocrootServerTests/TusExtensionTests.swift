import Content
import Facts
import Protocols
import Quantities
import Testing

@testable import DocrootServer

@Suite struct TusExtensionTests {
    private let version = ("Tus-Resumable", "1.0.0")
    private let type = ("Content-Type", "application/offset+octet-stream")
    private let name = ("Upload-Metadata", "filename " + Base64.encode(Array("a".utf8)))

    private func created(_ bench: DocrootBench, _ length: Int = 100) {
        #expect(
            bench.ask("POST", "/tus", [version, name, ("Upload-Length", "\(length)")])?.status
                == 201)
    }

    private func patch(at offset: Int, _ more: [(String, String)] = []) -> [(String, String)] {
        [version, type, ("Upload-Offset", "\(offset)")] + more
    }

    @Test func `a client may ask what is spoken here`() {
        let reply = DocrootBench().ask("OPTIONS", "/tus")
        #expect(reply?.status == 204)
        #expect(
            reply?.head.fields["Tus-Extension"]
                == "creation,creation-with-upload,creation-defer-length,termination,"
                + "checksum,expiration")
        #expect(reply?.head.fields["Tus-Checksum-Algorithm"] == "sha1,sha256")
    }

    @Test func `first bytes may come with the creation`() {
        let bench = DocrootBench()
        let reply = bench.ask(
            "POST", "/tus", [version, name, type, ("Upload-Length", "100")], body: bytes(40))
        #expect(reply?.status == 201)
        #expect(reply?.head.fields["Location"] == "/tus/1")
        #expect(reply?.head.fields["Upload-Offset"] == "40")
        #expect(
            bench.ask("PATCH", "/tus/1", patch(at: 40), body: bytes(60, at: 40))?.status == 204)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
    }

    @Test func `all bytes may come with the creation`() {
        let bench = DocrootBench()
        let reply = bench.ask(
            "POST", "/tus", [version, name, type, ("Upload-Length", "100")], body: bytes(100))
        #expect(reply?.status == 201)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
    }

    @Test func `an upload that is not wanted any more is gone, and its writer, too`() {
        let bench = DocrootBench()
        created(bench)
        bench.begin("PATCH", "/tus/1", patch(at: 0), length: ByteCount(100))
        bench.send(bytes(40))
        #expect(bench.ask("DELETE", "/tus/1", on: 2)?.status == 412)
        #expect(bench.ask("DELETE", "/tus/1", [version], on: 2)?.status == 204)
        #expect(bench.closed == [1])
        #expect(bench.ask("HEAD", "/tus/1", [version], on: 2)?.status == 404)
    }

    @Test func `bytes with their checksum are taken`() {
        let bench = DocrootBench()
        created(bench)
        let reply = bench.ask(
            "PATCH", "/tus/1", patch(at: 0, [sum(of: bytes(100))]), body: bytes(100))
        #expect(reply?.status == 204)
        #expect(bench.published == 1)
    }

    @Test func `bytes with another checksum were never there`() {
        let bench = DocrootBench()
        created(bench)
        bench.ask("PATCH", "/tus/1", patch(at: 0), body: bytes(40))
        let wrong = bench.ask(
            "PATCH", "/tus/1", patch(at: 40, [sum(of: bytes(60))]), body: bytes(60, at: 40))
        #expect(wrong?.status == 460)
        #expect(
            bench.ask("HEAD", "/tus/1", [version])?.head.fields["Upload-Offset"] == "40")
        let right = bytes(60, at: 40)
        let taken = bench.ask("PATCH", "/tus/1", patch(at: 40, [sum(of: right)]), body: right)
        #expect(taken?.status == 204)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
    }

    @Test func `bytes whose checksum could not be looked at do not count`() {
        let bench = DocrootBench()
        created(bench)
        bench.begin(
            "PATCH", "/tus/1", patch(at: 0, [sum(of: bytes(100))]), length: ByteCount(100))
        bench.send(bytes(99))
        bench.leave(1)
        let offset = bench.ask("HEAD", "/tus/1", [version], on: 2)
        #expect(offset?.head.fields["Upload-Offset"] == "0")
    }

    @Test(arguments: ["md5 AAAA", "sha1", "sha1 ?", ""])
    func `a checksum that nobody could look at is refused`(field: String) {
        let bench = DocrootBench()
        created(bench)
        let reply = bench.ask(
            "PATCH", "/tus/1", patch(at: 0, [("Upload-Checksum", field)]), body: bytes(10))
        #expect(reply?.status == 400)
    }

    @Test func `what nobody comes back for is reclaimed in time`() throws {
        let bench = DocrootBench(
            ServerSettings(wallClockAtStart: 784_111_777, uploadLifetime: .seconds(60)))
        let reply = bench.ask("POST", "/tus", [version, name, ("Upload-Length", "100")])
        #expect(reply?.head.fields["Upload-Expires"] == "Sun, 06 Nov 1994 08:50:37 GMT")
        bench.ask("PATCH", "/tus/1", patch(at: 0), body: bytes(40))
        let deadline = try #require(bench.deadline)
        #expect(deadline == .start + .seconds(60))
        bench.wake(at: .start + .seconds(59))
        #expect(bench.ask("HEAD", "/tus/1", [version])?.status == 200)
        bench.wake(at: deadline)
        #expect(bench.ask("HEAD", "/tus/1", [version])?.status == 404)
        #expect(bench.deadline == nil)
        #expect(
            bench.notes.contains(.discarded(ResourceName("/tus/1"), why: "its time is over")))
    }
}
