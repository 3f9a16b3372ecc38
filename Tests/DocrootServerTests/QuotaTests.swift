import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// A quota holds, however many requests there are at once, and however late a length is told.
@Suite struct QuotaTests {
    private static let ada = [
        ("Authorization", "Basic " + Base64.encode(Array("ada:secret".utf8)))
    ]
    private static let tus = ada + [("Tus-Resumable", "1.0.0")]
    private static let chunked = ada + [("Transfer-Encoding", "chunked")]

    private func bench() -> DocrootBench {
        DocrootBench(
            ServerSettings(accounts: [
                ServerUser(
                    name: "ada", password: "secret", tokens: [], docroot: .root,
                    quota: ByteCount(100))
            ]))
    }

    /// What of the docroot ada's objects take.
    private func used(_ bench: DocrootBench) -> UInt64 {
        (1...8).reduce(0) { sum, number in
            let found = bench.ask("HEAD", "/dav/\(number)", Self.ada, on: 99)
            guard found?.status == 200 else { return sum }
            return sum + (found?.head.fields["Content-Length"].flatMap { UInt64($0) } ?? 0)
        }
    }

    @Test func `bodies in chunks that come at once take no more than there is`() {
        let bench = bench()
        for number in 1...8 as ClosedRange<UInt32> {
            bench.begin("PUT", "/dav/\(number)", Self.chunked, length: .zero, on: number)
        }
        for number in 1...8 as ClosedRange<UInt32> {
            bench.send([.bytes(Array("28\r\n".utf8))] + bytes(40), on: number)
        }
        let refused = bench.reply(on: 3)
        #expect(refused?.status == 507)
        #expect(refused?.text == "ada may keep 100 B, and this would make it 120 B\n")
        for number in [1, 2] as [UInt32] {
            bench.send([.bytes(Array("\r\n0\r\n\r\n".utf8))], on: number)
            #expect(bench.reply(on: number)?.status == 201)
        }
        #expect(used(bench) == 80)
    }

    @Test func `a length that is told late has to find room`() {
        let bench = bench()
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("1".utf8)))
        let late = Self.tus + [("Upload-Defer-Length", "1"), name]
        let place = bench.ask("POST", "/tus", late)?.head.fields["Location"] ?? "?"
        let part =
            Self.tus + [
                ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0"),
            ]
        let tooLong = part + [("Upload-Length", "101")]
        let refused = bench.ask("PATCH", place, tooLong, body: bytes(10))
        #expect(refused?.status == 507)
        #expect(refused?.text == "ada may keep 100 B, and this would make it 101 B")
        let fits = part + [("Upload-Length", "100")]
        #expect(bench.ask("PATCH", place, fits, body: bytes(10), on: 2)?.status == 204)
        // All of it is taken now, though only a tenth has come.
        #expect(bench.ask("PUT", "/dav/2", Self.ada, body: bytes(1), on: 3)?.status == 507)
    }

    @Test func `a whole length that comes with a part has to find room`() {
        let bench = bench()
        let draft = Self.ada + [("Upload-Draft-Interop-Version", "6"), ("Upload-Complete", "?0")]
        let begun = bench.ask("POST", "/upload/1", draft, body: bytes(10))
        let place = begun?.head.fields["Location"] ?? "?"
        let part =
            draft + [("Upload-Offset", "10"), ("Content-Type", "application/partial-upload")]
        let tooLong = part + [("Upload-Length", "101")]
        #expect(bench.ask("PATCH", place, tooLong, body: bytes(10), on: 2)?.status == 507)
        let fits = part + [("Upload-Length", "100")]
        let taken = bench.ask("PATCH", place, fits, body: bytes(10), on: 3)?.status ?? 0
        #expect(taken < 300)
    }

    @Test func `copies that are made at once take no more than there is`() {
        let bench = bench()
        bench.ask("PUT", "/dav/1", Self.ada, body: bytes(40))
        bench.storeAnswers = false
        for number in 2...8 as ClosedRange<UInt32> {
            let there = [("Destination", "/dav/\(number)")]
            bench.begin("COPY", "/dav/1", Self.ada + there, length: .zero, on: number)
        }
        bench.endTurn()
        let statuses = (2...8 as ClosedRange<UInt32>).map { bench.reply(on: $0)?.status }
        #expect(statuses == [201, 507, 507, 507, 507, 507, 507])
        bench.storeAnswers = true
        #expect(used(bench) == 80)
    }

    @Test func `a copy counts although its client has gone`() {
        let bench = bench()
        bench.ask("PUT", "/dav/1", Self.ada, body: bytes(40))
        bench.storeAnswers = false
        let there = [("Destination", "/dav/2")]
        bench.begin("COPY", "/dav/1", Self.ada + there, length: .zero, on: 2)
        // The source, and the destination.
        bench.endTurn(atMost: 2)
        bench.leave(2)
        bench.storeAnswers = true
        bench.endTurn()
        #expect(bench.ask("PUT", "/dav/3", Self.ada, body: bytes(30), on: 3)?.status == 507)
        #expect(used(bench) == 80)
    }

    @Test func `what is published while the space is measured counts`() {
        let bench = bench()
        bench.ask("PUT", "/dav/1", Self.ada, body: bytes(10))
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("2".utf8)))
        let whole = Self.tus + [("Upload-Length", "40"), name]
        let place = bench.ask("POST", "/tus", whole)?.head.fields["Location"] ?? "?"
        let part = [("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0")]
        bench.begin("PATCH", place, Self.tus + part, length: ByteCount(40), on: 2)
        bench.send(bytes(39), on: 2)
        #expect(bench.ask("DELETE", "/dav/1", Self.ada)?.status == 204)
        bench.storeAnswers = false
        bench.begin("PUT", "/dav/3", Self.ada, length: ByteCount(30), on: 3)
        bench.send(bytes(1, at: 39), on: 2)
        #expect(bench.published == 2)
        bench.storeAnswers = true
        bench.endTurn()
        bench.send(bytes(30), on: 3)
        #expect(bench.reply(on: 3)?.status == 201)
        #expect(bench.ask("PUT", "/dav/4", Self.ada, body: bytes(70), on: 4)?.status == 507)
        #expect(used(bench) == 70)
    }
}
