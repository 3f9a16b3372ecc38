import DocrootServer
import Protocols
import Quantities
import Testing

/// Behaviour A13 from the server's side: no name leads outside the docroot.
@Suite struct ConfinementTests {
    static let names: [(name: String, status: Int)] = [
        ("../x", 403), ("../\u{301}x", 403), ("/\u{301}x", 403), ("a/../../x", 403), ("a/./b", 403),
        ("/etc/passwd", 403), ("..", 403),
        ("", 400), ("a//b", 400), ("a/", 400), ("a\u{0}b", 400),
        (String(repeating: "n", count: 256), 400),
        (String(repeating: "n/", count: 600) + "n", 400),
        ("a..b/..c", 201), ("in/vidéo 1.mov", 201),
    ]

    @Test(arguments: names) func `a name is taken or refused`(name: String, status: Int) {
        var client = TusConversation()
        client.connect(1)
        client.ask(.create(collection: "/tus", object: name, length: ByteCount(1)), on: 1)
        #expect(client.lastStatus == status)
    }

    @Test(arguments: ["/tus/2", "/tus/", "/tus/x", "/tus/-1", "/other"])
    func `an upload that is not there is not found`(resource: String) {
        var client = AppendTests.created()
        client.ask(.offset(resource: resource), on: 1)
        #expect(client.lastStatus == 404)
    }

    @Test func `a refusal says why in its body, but for a HEAD, whose answer has none`() {
        var client = AppendTests.created()
        client.ask(.append(resource: "/tus/2", at: .zero, length: ByteCount(1)), on: 1)
        #expect(client.lastBody == Array("there is no upload at /tus/2".utf8))
        client.connect(2)
        client.ask(.offset(resource: "/tus/2"), on: 2)
        #expect(client.lastStatus == 404)
        #expect(client.lastBody.isEmpty)
    }

    @Test func `a request that is not HTTP is answered and the connection closed`() {
        var client = TusConversation()
        client.connect(1)
        client.ask(.offset(resource: "/with blank"), on: 1)
        #expect(client.lastStatus == 400)
        #expect(client.closed == [1])
    }
}
