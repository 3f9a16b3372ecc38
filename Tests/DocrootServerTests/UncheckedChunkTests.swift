import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// A chunk that counts as a whole or not at all, and a server that ends in the middle of it: the
/// next one does not count what nobody has looked at (tus 1.0, checksum extension; behaviour K3).
@Suite struct UncheckedChunkTests {
    private let version = ("Tus-Resumable", "1.0.0")

    /// An upload of a hundred bytes, and ten of them.
    private func begun(_ bench: DocrootBench) {
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("a".utf8)))
        bench.ask("POST", "/tus", [version, name, ("Upload-Length", "100")])
        #expect(bench.ask("PATCH", "/tus/1", patch(at: 0), body: bytes(10))?.status == 204)
    }

    private func patch(at offset: Int, _ checked: [Segment] = []) -> [(String, String)] {
        let fields = [
            version, ("Content-Type", TusRequest.contentType), ("Upload-Offset", "\(offset)"),
        ]
        return fields + (checked.isEmpty ? [] : [sum(of: checked)])
    }

    private func offset(_ bench: DocrootBench) -> String? {
        bench.ask("HEAD", "/tus/1", [version], on: 9)?.head.fields["Upload-Offset"]
    }

    @Test func `the next server does not count the beginning of a chunk with a checksum`() {
        let bench = DocrootBench()
        begun(bench)
        let chunk = bytes(90, at: 10)
        bench.begin("PATCH", "/tus/1", patch(at: 10, chunk), length: ByteCount(90))
        bench.send(bytes(40, at: 10))
        bench.kill()
        #expect(offset(bench) == "10")
        let again = bench.ask("PATCH", "/tus/1", patch(at: 10, chunk), body: chunk)
        #expect(again?.status == 204)
        #expect(bench.ask("GET", "/dav/a")?.ranges.map(Segment.content) == bytes(100))
    }

    @Test func `nor first bytes that come with the creation`() {
        let bench = DocrootBench()
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("a".utf8)))
        let fields = [name, ("Upload-Length", "100"), ("Content-Type", TusRequest.contentType)]
        bench.begin(
            "POST", "/tus", [version, sum(of: bytes(100))] + fields, length: ByteCount(100))
        bench.send(bytes(40))
        bench.kill()
        #expect(offset(bench) == "0")
    }

    @Test func `what an earlier chunk has on its way to the disk counts alone`() {
        let bench = DocrootBench()
        begun(bench)
        bench.storeStages = false
        bench.begin("PATCH", "/tus/1", patch(at: 10), length: ByteCount(90))
        bench.send(bytes(20, at: 10))
        let rest = bytes(70, at: 30)
        bench.begin("PATCH", "/tus/1", patch(at: 30, rest), length: ByteCount(70), on: 2)
        bench.send(bytes(69, at: 30), on: 2)
        bench.endTurn()
        bench.kill()
        #expect(offset(bench) == "30")
    }

    @Test func `a chunk is acknowledged once it is durable, and not before it is looked at`() {
        let bench = DocrootBench()
        begun(bench)
        bench.storeStages = false
        let chunk = bytes(90, at: 10)
        bench.begin("PATCH", "/tus/1", patch(at: 10, chunk), length: ByteCount(90))
        bench.send(bytes(40, at: 10))
        bench.endTurn()
        bench.send(bytes(50, at: 50))
        #expect(bench.reply() == nil)
        bench.endTurn()
        #expect(bench.reply()?.head.fields["Upload-Offset"] == "100")
        #expect(bench.published == 1)
    }

    @Test func `a client of Kii finds whole chunks alone`() {
        let bench = DocrootBench()
        let upload = KiiTests.body + "/uploads/1"
        bench.ask("POST", KiiTests.body + "/uploads")
        let first = [("Content-Range", "bytes=0-59/100")]
        bench.ask("PUT", upload + "/data", first, body: bytes(60))
        let second = [("Content-Range", "bytes=60-99/100")]
        bench.begin("PUT", upload + "/data", second, length: ByteCount(40))
        bench.send(bytes(30, at: 60))
        bench.kill()
        let status = bench.ask("GET", upload)
        #expect(status?.text.contains("\"receivedBytes\":60}") == true, "\(status?.text ?? "")")
        let again = bench.ask("PUT", upload + "/data", second, body: bytes(40, at: 60))
        #expect(again?.status == 204)
        #expect(bench.ask("POST", upload + "/status/committed")?.status == 204)
        #expect(bench.ask("GET", KiiTests.body)?.ranges.map(Segment.content) == bytes(100))
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `bytes with another checksum do not come back with the power`(seed: UInt64) {
        let bench = DocrootBench()
        begun(bench)
        let chunk = bytes(60, at: 10)
        bench.storeStages = false
        bench.begin(
            "PATCH", "/tus/1", patch(at: 10, bytes(60)), length: ByteCount(60))
        bench.send(bytes(59, at: 10))
        bench.endTurn()
        bench.send(bytes(1, at: 69))
        #expect(bench.reply()?.status == 460)
        var random = RandomStream(seed: seed, name: "power")
        bench.losePower(random: &random)
        #expect(offset(bench) == "10")
        bench.storeStages = true
        #expect(bench.ask("PATCH", "/tus/1", patch(at: 10, chunk), body: chunk)?.status == 204)
    }
}

/// The SHA-1 of these bytes, as a client of tus would tell it.
func sum(of segments: [Segment]) -> (String, String) {
    var digest = Digest(.sha1)
    for case .content(let range) in segments {
        digest.update(DeterministicBytes.bytes(of: range))
    }
    return ("Upload-Checksum", "sha1 " + Base64.encode(digest.finish()))
}
