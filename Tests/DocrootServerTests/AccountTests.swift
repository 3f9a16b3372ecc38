import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Who may come, what they see, and how much they may keep (K9).
@Suite struct AccountTests {
    private func bench() throws -> DocrootBench {
        let ada = ServerUser(
            name: "ada", password: "pa:ss", tokens: [.init(text: "t0", expires: 100)],
            docroot: try ObjectPath("home/ada"), quota: ByteCount(100))
        let bob = ServerUser(
            name: "bob", password: nil, tokens: [.init(text: "t1", expires: nil)],
            docroot: .root, quota: nil)
        let bench = DocrootBench(ServerSettings(accounts: [ada, bob]))
        bench.ask("MKCOL", "/dav/home", bob1)
        bench.ask("MKCOL", "/dav/home/ada", bob1)
        return bench
    }

    private let ada1 = [("Authorization", "Basic " + Base64.encode(Array("ada:pa:ss".utf8)))]
    private let bob1 = [("Authorization", "Bearer t1")]

    static let strangers = [
        nil, "", "Basic", "Basic ?", "Basic " + Base64.encode(Array("ada:pass".utf8)),
        "Basic " + Base64.encode(Array("bob:".utf8)), "Basic " + Base64.encode(Array("ada".utf8)),
        "Bearer t2", "Digest x",
    ]

    @Test(arguments: strangers, ["/dav/a", "/tus", "/upload/a", "/once/a", KiiTests.body])
    func `a stranger is turned away, by every front end`(field: String?, target: String) throws {
        let bench = try bench()
        let fields = field.map { [("Authorization", $0)] } ?? []
        let method = target == "/dav/a" ? "PUT" : "POST"
        let reply = bench.ask(method, target, fields, body: bytes(10), on: 2)
        #expect(reply?.status == 401)
        #expect(reply?.head.fields["WWW-Authenticate"] != nil)
    }

    @Test func `a token is good until it expires`() throws {
        let bench = try bench()
        let token = [("Authorization", "bearer t0")]
        bench.now = .start + .seconds(99)
        #expect(bench.ask("PUT", "/dav/a", token, body: bytes(10))?.status == 201)
        bench.now = .start + .seconds(100)
        let late = bench.ask("GET", "/dav/a", token)
        #expect(late?.status == 401)
        #expect(late?.head.fields["WWW-Authenticate"]?.contains("expired") == true)
    }

    @Test func `users see what is theirs, and think that it is all there is`() throws {
        let bench = try bench()
        bench.ask("PUT", "/dav/a", ada1, body: bytes(10))
        #expect(bench.ask("GET", "/dav/home/ada/a", bob1, on: 2)?.status == 200)
        bench.ask("PUT", "/dav/b", bob1, body: bytes(10), on: 2)
        #expect(bench.ask("GET", "/dav/b", ada1)?.status == 404)
        #expect(bench.ask("DELETE", "/dav/", ada1)?.status == 403)
        #expect(bench.ask("GET", "/dav/../b", ada1)?.status == 403)
        let list = bench.ask("PROPFIND", "/dav/", ada1 + [("Depth", "1")])
        #expect(list?.text.contains("<D:href>/dav/</D:href>") == true)
        #expect(list?.text.contains("<D:href>/dav/a</D:href>") == true)
        #expect(list?.text.contains("home") == false)
        let move = ada1 + [("Destination", "/dav/c")]
        #expect(bench.ask("MOVE", "/dav/a", move)?.status == 201)
        #expect(bench.ask("GET", "/dav/home/ada/c", bob1, on: 2)?.status == 200)
    }

    @Test func `an upload belongs to the one who began it`() throws {
        let bench = try bench()
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("a".utf8)))
        let tus = [("Tus-Resumable", "1.0.0")]
        bench.ask("POST", "/tus", bob1 + tus + [name, ("Upload-Length", "10")])
        #expect(bench.ask("HEAD", "/tus/1", bob1 + tus)?.status == 200)
        #expect(bench.ask("HEAD", "/tus/1", ada1 + tus, on: 2)?.status == 404)
    }

    @Test func `a signed address speaks for the one who asked for it`() throws {
        let bench = try bench()
        let url = bench.ask("POST", "/once/a", ada1)?.head.fields["Location"] ?? ""
        #expect(bench.ask("PUT", url, body: bytes(10), on: 2)?.status == 201)
        #expect(bench.ask("GET", "/dav/a", ada1)?.status == 200)
    }

    @Test func `more than the quota is a clear error, and room that was made counts`() throws {
        let bench = try bench()
        #expect(bench.ask("PUT", "/dav/a", ada1, body: bytes(60))?.status == 201)
        let over = bench.ask("PUT", "/dav/b", ada1, body: bytes(60))
        #expect(over?.status == 507)
        #expect(over?.text == "ada may keep 100 B, and this would make it 120 B\n")
        #expect(bench.ask("COPY", "/dav/a", ada1 + [("Destination", "/dav/c")])?.status == 507)
        let tus = [("Tus-Resumable", "1.0.0"), ("Upload-Length", "41")]
        let name = [("Upload-Metadata", "filename " + Base64.encode(Array("t".utf8)))]
        #expect(bench.ask("POST", "/tus", ada1 + tus + name)?.status == 507)
        let open = [("Upload-Draft-Interop-Version", "6"), ("Upload-Complete", "?0")]
        #expect(bench.ask("POST", "/upload/o", ada1 + open, body: bytes(41))?.status == 507)
        // Replacing counts both until the old one is gone.
        #expect(bench.ask("PUT", "/dav/a", ada1, body: bytes(40))?.status == 204)
        #expect(bench.ask("PUT", "/dav/b", ada1, body: bytes(60))?.status == 201)
        #expect(bench.ask("DELETE", "/dav/a", ada1)?.status == 204)
        #expect(bench.ask("PUT", "/dav/d", ada1, body: bytes(40))?.status == 201)
        #expect(bench.ask("PUT", "/dav/e", ada1, body: bytes(1))?.status == 507)
        #expect(bench.ask("PUT", "/dav/elsewhere", bob1, body: bytes(500), on: 2)?.status == 201)
    }

    @Test func `a copy of a folder takes the room of all that is in it`() throws {
        let bench = try bench()
        bench.ask("MKCOL", "/dav/f", ada1)
        bench.ask("PUT", "/dav/f/a", ada1, body: bytes(40))
        let first = [("Destination", "/dav/g")]
        #expect(bench.ask("COPY", "/dav/f", ada1 + first)?.status == 201)
        let second = [("Destination", "/dav/h")]
        let over = bench.ask("COPY", "/dav/f", ada1 + second)
        #expect(over?.status == 507)
        #expect(over?.text == "ada may keep 100 B, and this would make it 120 B\n")
        #expect(bench.ask("COPY", "/dav/f", ada1 + second + [("Depth", "0")])?.status == 201)
    }

    @Test(arguments: ["9223372036854775807", "1125899906842625"])
    func `nobody announces more than there can be`(length: String) throws {
        let bench = try bench()
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("t".utf8)))
        let tus = [("Tus-Resumable", "1.0.0"), ("Upload-Length", length), name]
        for _ in 0..<3 { #expect(bench.ask("POST", "/tus", bob1 + tus)?.status == 413) }
        let upload = bench.ask("POST", KiiTests.body + "/uploads", bob1)
        #expect(upload?.status == 200)
        let range = [("Content-Range", "bytes=0-0/\(length)")]
        let place = KiiTests.body + "/uploads/1/data"
        #expect(bench.ask("PUT", place, bob1 + range, body: bytes(1))?.status == 413)
        #expect(bench.ask("PUT", "/dav/a", ada1, body: bytes(10), on: 2)?.status == 201)
    }

    @Test func `what all have announced together may be more than can be counted`() throws {
        let most = ByteCount(.max - 1)
        let ada = ServerUser(
            name: "ada", password: "pa:ss", tokens: [], docroot: .root, quota: most)
        let limit = ByteCount(1 << 62)
        let bench = DocrootBench(ServerSettings(bodyLimit: limit, accounts: [ada]))
        let name = ("Upload-Metadata", "filename " + Base64.encode(Array("t".utf8)))
        let tus = [("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(limit.bytes)"), name]
        for _ in 0..<3 { #expect(bench.ask("POST", "/tus", ada1 + tus)?.status == 201) }
        #expect(bench.ask("POST", "/tus", ada1 + tus)?.status == 507)
    }
}
