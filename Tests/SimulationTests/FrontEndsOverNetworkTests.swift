import Content
import DocrootServer
import LinkModels
import Protocols
import Quantities
import RunPlan
import Testing

@testable import Simulation

/// Every language of the server but tus, which the engine speaks, over links that lose packets.
@Suite struct FrontEndsOverNetworkTests {
    private let client = ClientOverNetwork(
        uplink: .plain("uplink", losing: 1), downlink: .plain("downlink", losing: 1))

    private func content(
        _ count: UInt64, from offset: UInt64 = 0, file: UInt32 = 1
    ) -> [Segment] {
        [.content(range(count, from: offset, file: file))]
    }

    private func range(
        _ count: UInt64, from offset: UInt64 = 0, file: UInt32 = 1
    ) -> ContentRange {
        ContentRange(
            FileVersion(file: file, edit: 0), offset: ByteCount(offset), length: ByteCount(count))
    }

    @Test func `an object is put, read as a whole and in pieces, and copied`() throws {
        #expect(try client.ask("PUT", "/dav/film", body: content(300_000))?.status == 201)
        let whole = try #require(try client.ask("GET", "/dav/film"))
        #expect(whole.status == 200 && whole.ranges == [range(300_000)])
        let tag = whole.head.fields["ETag"] ?? ""
        let piece = try #require(
            try client.ask(
                "GET", "/dav/film", [("Range", "bytes=100000-199999"), ("If-Range", tag)]))
        #expect(piece.status == 206 && piece.ranges == [range(100_000, from: 100_000)])
        #expect(piece.head.fields["Content-Range"] == "bytes 100000-199999/300000")
        #expect(try client.ask("GET", "/dav/film", [("Range", "bytes=300000-")])?.status == 416)
        let copied = try client.ask("COPY", "/dav/film", [("Destination", "/dav/copy")])
        #expect(copied?.status == 201)
        #expect(try client.ask("GET", "/dav/copy")?.ranges == [range(300_000)])
        // A replaced object has another tag, and a piece of the old one cannot be asked for.
        #expect(try client.ask("PUT", "/dav/film", body: content(200, file: 2))?.status == 204)
        let late = try client.ask(
            "GET", "/dav/film", [("Range", "bytes=100-"), ("If-Range", tag)])
        #expect(late?.status == 200 && late?.ranges == [range(200, file: 2)])
    }

    @Test func `an upload of the kind that phones resume is sent in two parts`() throws {
        let version = [("Upload-Draft-Interop-Version", "6")]
        let first = try #require(
            try client.ask(
                "POST", "/upload/in/film", version + [("Upload-Complete", "?0")],
                body: content(100_000)))
        #expect(first.status == 201)
        let resource = try #require(first.head.fields["Location"])
        let asked = try client.ask("HEAD", resource, version)
        #expect(asked?.head.fields["Upload-Offset"] == "100000")
        let rest = try client.ask(
            "PATCH", resource,
            version + [
                ("Upload-Complete", "?1"), ("Upload-Offset", "100000"),
                ("Content-Type", "application/partial-upload"),
            ], body: content(50_000, from: 100_000))
        #expect(rest?.status == 200)
        #expect(try client.ask("GET", "/dav/in/film")?.ranges == [range(150_000)])
    }

    @Test func `a body goes up by chunks of Kii's, and comes down by a range`() throws {
        let body = "/api/apps/a/buckets/b/objects/o/body"
        let started = try #require(try client.ask("POST", body + "/uploads"))
        let words = started.text.split(separator: "\"")
        let upload = try #require(words.last { Int($0) != nil })
        for offset in [0, 60_000] as [UInt64] {
            let sent = try client.ask(
                "PUT", "\(body)/uploads/\(upload)/data",
                [("Content-Range", "bytes \(offset)-\(offset + 59_999)/120000")],
                body: content(60_000, from: offset))
            #expect(sent?.status == 204)
        }
        let committed = try client.ask("POST", "\(body)/uploads/\(upload)/status/committed")
        #expect(committed?.status == 204)
        let part = try client.ask("GET", body, [("Range", "bytes=50000-69999")])
        #expect(part?.status == 206 && part?.ranges == [range(20_000, from: 50_000)])
    }

    @Test func `an address is signed, and good for one upload that is published once`() throws {
        let signed = try #require(try client.ask("POST", "/once/film"))
        let address = try #require(signed.head.fields["Location"])
        let key = [("Idempotency-Key", "k")]
        #expect(try client.ask("PUT", address, key, body: content(80_000))?.status == 201)
        // The answer was lost on the way, for all the client knows.
        let again = try client.ask("PUT", address, key, body: content(80_000))
        #expect(again?.head.fields["Idempotency-Replayed"] == "?1")
        let other = address.replacing("film", with: "others")
        #expect(try client.ask("PUT", other, body: content(10))?.status == 403)
        #expect(try client.ask("GET", "/dav/film")?.ranges == [range(80_000)])
    }
}
