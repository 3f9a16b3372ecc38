import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// draft-ietf-httpbis-resumable-upload, as three generations of phones speak it.
@Suite struct ResumableUploadTests {
    static let versions: [ResumableUploadVersion] = [.three, .five, .six]

    private func fields(
        _ version: ResumableUploadVersion, isLast: Bool, at offset: UInt64? = nil
    ) -> [(String, String)] {
        var fields = [
            (ResumableUploadVersion.field, "\(version.rawValue)"), version.completeness(isLast),
        ]
        if let offset {
            fields.append(("Upload-Offset", "\(offset)"))
            fields.append(("Content-Type", "application/partial-upload"))
        }
        return fields
    }

    private func name(_ version: ResumableUploadVersion) -> [(String, String)] {
        [(ResumableUploadVersion.field, "\(version.rawValue)")]
    }

    @Test(arguments: versions)
    func `a client is told where to come back to, before it has sent all`(
        version: ResumableUploadVersion
    ) {
        let bench = DocrootBench()
        bench.begin("POST", "/upload/a/b", fields(version, isLast: true), length: ByteCount(100))
        let interim = bench.raw(on: 1)
        #expect(interim.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\r\n"))
        #expect(interim.contains("Upload-Draft-Interop-Version: \(version.rawValue)\r\n"))
        #expect(interim.contains("Location: /uploads/1\r\n"))
        bench.send(bytes(100))
        let reply = bench.reply()
        #expect(reply?.status == 201)
        #expect(reply?.head.fields["Upload-Offset"] == "100")
        let (word, value) = version.completeness(true)
        #expect(reply?.head.fields[word] == value)
        #expect(bench.ask("GET", "/dav/a/b")?.ranges.map(Segment.content) == bytes(100))
    }

    @Test func `nothing is promised before it is kept`() {
        let bench = DocrootBench()
        bench.storeKeeps = false
        bench.begin("POST", "/upload/a", fields(.six, isLast: true), length: ByteCount(100))
        #expect(bench.raw(on: 1).isEmpty)
        bench.letStoreAnswer()
        #expect(bench.raw(on: 1).contains("Location: /uploads/1\r\n"))
    }

    @Test(arguments: versions) func `it goes on where it broke off`(
        version: ResumableUploadVersion
    ) {
        let bench = DocrootBench()
        bench.begin("POST", "/upload/a", fields(version, isLast: true), length: ByteCount(100))
        bench.send(bytes(40))
        bench.leave(1)
        let offset = bench.ask("HEAD", "/uploads/1", name(version), on: 2)
        #expect(offset?.status == 204)
        #expect(offset?.head.fields["Upload-Offset"] == "40")
        #expect(offset?.head.fields["Cache-Control"] == "no-store")
        let (word, value) = version.completeness(false)
        #expect(offset?.head.fields[word] == value)
        let rest = bench.ask(
            "PATCH", "/uploads/1", fields(version, isLast: true, at: 40), body: bytes(60, at: 40),
            on: 2)
        #expect(rest?.status == 200)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
        // The last answer may have been lost: the upload is still there to ask.
        let after = bench.ask("HEAD", "/uploads/1", name(version), on: 3)
        #expect(after?.head.fields[word] == version.completeness(true).1)
        #expect(bench.published == 1)
    }

    @Test func `a part that is refused says nothing of the length`() {
        let bench = DocrootBench()
        bench.ask("POST", "/upload/a", fields(.six, isLast: false), body: bytes(10))
        let short = fields(.six, isLast: false, at: 0) + [("Upload-Length", "5")]
        #expect(bench.ask("PATCH", "/uploads/1", short)?.status == 409)
        let rest = bench.ask(
            "PATCH", "/uploads/1", fields(.six, isLast: true, at: 10), body: bytes(1, at: 10))
        #expect(rest?.status == 200)
        #expect(bench.published == 1)
    }

    @Test func `nobody announces less than there is already, nor more than there can be`() {
        let bench = DocrootBench(ServerSettings(bodyLimit: ByteCount(100)))
        bench.ask("POST", "/upload/a", fields(.six, isLast: false), body: bytes(60))
        let next = fields(.six, isLast: false, at: 60)
        let long = next + [("Upload-Length", "101")]
        #expect(bench.ask("PATCH", "/uploads/1", long)?.status == 413)
        let over = bench.ask("PATCH", "/uploads/1", next, body: bytes(41, at: 60))
        #expect(over?.status == 413)
        #expect(bench.ask("HEAD", "/uploads/1", name(.six))?.head.fields["Upload-Length"] == nil)
    }

    @Test(arguments: versions) func `parts are put together, and only the last one publishes`(
        version: ResumableUploadVersion
    ) {
        let bench = DocrootBench()
        let first = bench.ask(
            "POST", "/upload/a", fields(version, isLast: false), body: bytes(50))
        #expect(first?.status == 201)
        #expect(first?.head.fields["Location"] == "/uploads/1")
        let second = bench.ask(
            "PATCH", "/uploads/1", fields(version, isLast: false, at: 50),
            body: bytes(50, at: 50))
        #expect(second?.status == (version == .three ? 201 : 204))
        #expect(bench.ask("GET", "/dav/a")?.status == 404)
        let end = bench.ask("PATCH", "/uploads/1", fields(version, isLast: true, at: 100))
        #expect(end?.status == 200)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
        let more = bench.ask(
            "PATCH", "/uploads/1", fields(version, isLast: true, at: 100), body: bytes(1))
        #expect(more?.status == 400)
    }

    @Test(arguments: versions) func `a conflict carries the offset that was expected`(
        version: ResumableUploadVersion
    ) {
        let bench = DocrootBench()
        bench.ask("POST", "/upload/a", fields(version, isLast: false), body: bytes(50))
        let reply = bench.ask(
            "PATCH", "/uploads/1", fields(version, isLast: true, at: 40), body: bytes(60))
        #expect(reply?.status == 409)
        #expect(reply?.head.fields["Upload-Offset"] == "50")
        #expect(reply?.text.contains("\"expected-offset\":50") == (version == .six))
    }

    @Test func `a later request ends the earlier one, so that its answer stays true`() {
        let bench = DocrootBench()
        bench.begin("POST", "/upload/a", fields(.six, isLast: true), length: ByteCount(100))
        bench.send(bytes(40))
        let offset = bench.ask("HEAD", "/uploads/1", name(.six), on: 2)
        #expect(offset?.head.fields["Upload-Offset"] == "40")
        #expect(bench.closed == [1])
        bench.begin(
            "PATCH", "/uploads/1", fields(.six, isLast: true, at: 40), length: ByteCount(60), on: 2)
        bench.send(bytes(10, at: 40), on: 2)
        #expect(bench.ask("DELETE", "/uploads/1", name(.six), on: 3)?.status == 204)
        #expect(bench.closed == [1, 2])
        #expect(bench.ask("HEAD", "/uploads/1", name(.six), on: 4)?.status == 404)
        #expect(bench.server.uploads.isEmpty)
    }

    @Test func `lengths that do not agree are refused`() {
        let bench = DocrootBench()
        let longer = fields(.six, isLast: true) + [("Upload-Length", "101")]
        #expect(bench.ask("POST", "/upload/a", longer, body: bytes(100))?.status == 400)
        let part = fields(.six, isLast: false) + [("Upload-Length", "90")]
        #expect(bench.ask("POST", "/upload/a", part, body: bytes(50), on: 2)?.status == 201)
        let tooMuch = bench.ask(
            "PATCH", "/uploads/1", fields(.six, isLast: true, at: 50), body: bytes(50), on: 2)
        #expect(tooMuch?.status == 400)
    }

    @Test func `a client that speaks none of it uploads as ever`() {
        let bench = DocrootBench()
        #expect(bench.ask("PUT", "/upload/a", body: bytes(10))?.status == 201)
        let newer = [(ResumableUploadVersion.field, "8"), ("Upload-Complete", "?1")]
        bench.begin("POST", "/upload/b", newer, length: ByteCount(10), on: 2)
        #expect(bench.raw(on: 2).isEmpty)
        bench.send(bytes(10), on: 2)
        #expect(bench.reply(on: 2)?.status == 201)
        #expect(bench.ask("HEAD", "/uploads/1")?.status == 400)
    }

    @Test func `the last dialect wants the media type, and tells its limits`() {
        let bench = DocrootBench(
            ServerSettings(uploadLifetime: .seconds(60), bodyLimit: ByteCount(1_000)))
        let reply = bench.ask("POST", "/upload/a", fields(.six, isLast: false), body: bytes(50))
        #expect(reply?.head.fields["Upload-Limit"] == "max-size=1000, max-age=60")
        let plain = fields(.six, isLast: true) + [("Upload-Offset", "50")]
        #expect(bench.ask("PATCH", "/uploads/1", plain, body: bytes(50))?.status == 415)
    }
}
