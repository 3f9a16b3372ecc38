import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// A disk that takes nothing more, or is slow to say so.
@Suite struct StoreFailureTests {
    private let tus = [("Tus-Resumable", "1.0.0")]
    private let creation = [
        ("Upload-Length", "100"),
        ("Upload-Metadata", "filename " + Base64.encode(Array("film".utf8))),
    ]

    private func append(at offset: Int) -> [(String, String)] {
        tus + [("Upload-Offset", "\(offset)"), ("Content-Type", TusRequest.contentType)]
    }

    @Test func `an upload whose record could not be kept was never there`() {
        let bench = DocrootBench()
        bench.keepsNothing = true
        #expect(bench.ask("POST", "/tus", tus + creation)?.status == 507)
        #expect(bench.server.uploads.isEmpty)
        // Who asks for it all the same hears so, and does not wait for a record that never comes.
        #expect(bench.ask("HEAD", "/tus/1", tus, on: 2)?.status == 404)
    }

    @Test func `what came behind the last durable byte goes when the disk is full`() {
        let bench = DocrootBench()
        bench.ask("POST", "/tus", tus + creation)
        bench.ask("PATCH", "/tus/1", append(at: 0), body: bytes(10))
        bench.storeStages = false
        bench.begin("PATCH", "/tus/1", append(at: 10), length: ByteCount(90))
        bench.send(bytes(40, at: 10))
        bench.fail(1)
        #expect(bench.reply()?.status == 507)
        #expect(bench.truncated == [ByteCount(10)])
        bench.letStoreAnswer()
        let rest = bench.ask("PATCH", "/tus/1", append(at: 10), body: bytes(90, at: 10), on: 2)
        #expect(rest?.status == 204)
        #expect(bench.published == 1)
    }

    @Test func `a successor is not answered for what its predecessor has sent`() {
        let bench = DocrootBench()
        bench.ask("POST", "/tus", tus + creation)
        bench.storeStages = false
        bench.ask("PATCH", "/tus/1", append(at: 0), body: bytes(40))
        bench.begin("PATCH", "/tus/1", append(at: 40), length: ByteCount(60), on: 2)
        #expect(bench.closed == [1])
        bench.letStoreAnswer()
        #expect(bench.reply(on: 2) == nil)
        bench.send(bytes(60, at: 40), on: 2)
        #expect(bench.reply(on: 2)?.head.fields["Upload-Offset"] == "100")
        #expect(bench.published == 1)
    }

    @Test func `the same upload by the same key is published once, however slow the disk is`() {
        let bench = DocrootBench()
        let key = [("Idempotency-Key", "k")]
        bench.storeStages = false
        bench.ask("PUT", "/dav/a", key, body: bytes(10))
        bench.begin("PUT", "/dav/a", key, length: ByteCount(10), on: 2)
        bench.letStoreAnswer()
        bench.send(bytes(10), on: 2)
        #expect(bench.reply(on: 2)?.status == 201)
        #expect(bench.published == 1)
    }
}
