import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// A world may tell the server of the middle of a body at once and later: the server says how much.
@Suite struct SilentBodyTests {
    private func silent(_ bench: DocrootBench, on connection: UInt32 = 1) -> UInt64 {
        bench.server.silentBody(on: ServerConnectionID(connection)).bytes
    }

    /// The ways in which a body of 1 000 bytes comes, each up to its first byte.
    enum Way: CaseIterable { case put, once, tus, chunked }

    private func begin(_ way: Way, on bench: DocrootBench) {
        let length = ByteCount(1_000)
        switch way {
        case .put: bench.begin("PUT", "/dav/a", length: length)
        case .once:
            let place = bench.ask("POST", "/once/a")?.head.fields["Location"] ?? "?"
            bench.begin("PUT", place, length: length)
        case .tus:
            let place = FaultyBodyTests.create(bench)
            bench.begin(
                "PATCH", place,
                FaultyBodyTests.version + [
                    ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0"),
                ], length: length)
        case .chunked:
            bench.begin("PUT", "/dav/a", [("Transfer-Encoding", "chunked")], length: .zero)
            bench.send([.bytes(Array("3e8\r\n".utf8))])
        }
    }

    @Test(arguments: Way.allCases)
    func `what is silent may come at once or in pieces, and nobody can tell`(_ way: Way) {
        let (whole, pieces) = (DocrootBench(), DocrootBench())
        for bench in [whole, pieces] {
            begin(way, on: bench)
            // The last byte ends the body.
            #expect(silent(bench) == 999)
        }
        whole.send(bytes(999))
        for place in 0..<9 { pieces.send(bytes(111, at: 111 * UInt64(place))) }
        for bench in [whole, pieces] {
            #expect(silent(bench) == 0)
            #expect(bench.raw() == "")
            #expect(bench.staged(UploadID(1)).bytes == 999)
            bench.send(bytes(1, at: 999))
            if way == .chunked { bench.send([.bytes(Array("\r\n0\r\n\r\n".utf8))]) }
            #expect(silent(bench) == 0)
        }
        #expect(whole.reply().map { $0.status } ?? 0 < 300)
        #expect(whole.notes == pieces.notes)
        #expect(whole.deadline == pieces.deadline)
    }

    @Test func `between requests, and of a body that nobody wants, nothing is silent`() {
        let bench = DocrootBench()
        bench.connect(1)
        #expect(silent(bench) == 0)
        bench.ask("PUT", "/dav/a", body: bytes(10))
        #expect(silent(bench) == 0)
        bench.begin("PUT", "/nowhere/a", length: ByteCount(1_000))
        #expect(bench.reply()?.status == 404)
        #expect(silent(bench) == 0)
    }

    @Test func `where a script may spoil it, no body is silent`() {
        let bench = DocrootBench(FaultRule(name: "cut", .reset, at: .received(ByteCount(100))))
        begin(.put, on: bench)
        #expect(silent(bench) == 0)
    }

    @Test func `a body that may exceed its room is silent up to there`() throws {
        let bench = DocrootBench(
            ServerSettings(accounts: [
                ServerUser(
                    name: "ada", password: "pa:ss", tokens: [], docroot: .root,
                    quota: ByteCount(100))
            ]))
        let ada = ("Authorization", "Basic " + Base64.encode(Array("ada:pa:ss".utf8)))
        bench.begin("PUT", "/dav/a", [ada, ("Transfer-Encoding", "chunked")], length: .zero)
        bench.send([.bytes(Array("3e8\r\n".utf8))] + bytes(40))
        #expect(silent(bench) == 60)
        bench.send(bytes(60, at: 40))
        #expect(bench.reply() == nil)
        #expect(silent(bench) == 0)
        bench.send(bytes(1, at: 100))
        #expect(bench.reply()?.status == 507)
    }
}
