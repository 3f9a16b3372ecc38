import Content
import Facts
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// An upload over tus that must not replace an object (A15): `If-None-Match: *` at its creation.
@Suite struct ExclusiveUploadTests {
    private let tus = [("Tus-Resumable", "1.0.0")]

    @Test func `an object that came meanwhile stays, and the upload is gone`() {
        let bench = DocrootBench()
        create(bench, of: 10)
        bench.ask("PUT", "/dav/a", body: bytes(3), on: 2)
        #expect(append(bench, 10)?.status == 412)
        #expect(bench.ask("GET", "/dav/a", on: 2)?.ranges.map(Segment.content) == bytes(3))
        #expect(bench.ask("HEAD", "/tus/1", tus, on: 3)?.status == 404)
        let discarded = bench.notes.filter { if case .discarded = $0 { true } else { false } }
        #expect(discarded.count == 1)
    }

    @Test func `without an object it is published, and told to be complete`() {
        let bench = DocrootBench()
        create(bench, of: 10)
        #expect(append(bench, 10)?.status == 204)
        #expect(bench.published == 1)
        #expect(bench.ask("HEAD", "/tus/1", tus, on: 3)?.head.fields["Upload-Offset"] == "10")
        #expect(append(bench, 0, at: 10, on: 3)?.status == 403)
    }

    @Test func `two that are complete at one time are published once`() {
        let bench = DocrootBench()
        create(bench, of: 10)
        create(bench, of: 10, on: 2)
        bench.storeAnswers = false
        append(bench, 10)
        append(bench, 10, to: 2, on: 2)
        bench.letStoreAnswer()
        #expect(bench.published == 1)
        let statuses = [1, 2].compactMap { bench.reply(on: $0)?.status }
        #expect(statuses.sorted() == [204, 412])
    }

    @Test func `a client that goes before the object is looked at can come back`() {
        let bench = DocrootBench()
        create(bench, of: 10)
        bench.storeAnswers = false
        append(bench, 10)
        bench.leave(1)
        bench.letStoreAnswer()
        #expect(bench.published == 0)
        let offset = bench.ask("HEAD", "/tus/1", tus, on: 2)
        #expect(offset?.head.fields["Upload-Offset"] == "10")
        #expect(bench.published == 1)
    }

    @Test func `the next server remembers it`() {
        let bench = DocrootBench()
        create(bench, of: 10)
        append(bench, 4)
        bench.kill()
        bench.ask("PUT", "/dav/a", body: bytes(3), on: 2)
        #expect(append(bench, 6, at: 4, on: 3)?.status == 412)
        #expect(bench.published == 1)
    }

    private func create(_ bench: DocrootBench, of length: UInt64, on connection: UInt32 = 1) {
        let fields = [
            ("Upload-Length", "\(length)"), ("Upload-Metadata", "filename YQ=="),
            ("If-None-Match", "*"), ("Content-Length", "0"),
        ]
        #expect(bench.ask("POST", "/tus", tus + fields, on: connection)?.status == 201)
    }

    @discardableResult
    private func append(
        _ bench: DocrootBench, _ length: UInt64, at offset: UInt64 = 0, to upload: UInt64 = 1,
        on connection: UInt32 = 1
    ) -> DocrootBench.Reply? {
        let fields = [
            ("Upload-Offset", "\(offset)"), ("Content-Type", "application/offset+octet-stream"),
            ("Content-Length", "\(length)"),
        ]
        return bench.ask(
            "PATCH", "/tus/\(upload)", tus + fields, body: length > 0 ? bytes(length) : [],
            on: connection)
    }
}
