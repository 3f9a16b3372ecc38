import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Downloads of the daemon: from byte 0, or on from where an intact part of the same state of the
/// object ends (B12).
@Suite struct DownloadTests {
    private let first = [("ETag", "\"v1\""), ("Content-Length", "10")]

    /// Half of it has come when the connection breaks.
    private func broken() throws -> DaemonByHand {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        #expect(hand.asked[0].fields["Range"] == nil)
        hand.answer(200, first, "01234")
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .reset)))
        hand.wait(.seconds(2))
        hand.connect()
        #expect(hand.asked[1].fields["Range"] == "bytes=5-")
        #expect(hand.asked[1].fields["If-Range"] == "\"v1\"")
        return hand
    }

    private func file(of hand: DaemonByHand) -> String? {
        hand.downloads.values.first.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `the app hears of the file, and of the end after that (B2)`() throws {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, first, "01234")
        hand.tell(.attempt(.received(try #require(hand.connection), [.bytes(Array("56789".utf8))])))
        let path = try #require(hand.downloads.keys.first)
        #expect(file(of: hand) == "0123456789")
        #expect(hand.synced == [path])
        let (request, response) = (
            hand.request("b.mov"), TaskResponse(200, fields: HTTPFields(first))
        )
        #expect(
            hand.news == [
                wrote(5, upTo: 5), wrote(5, upTo: 10),
                .downloaded(1, session: "films", request, response, path: path),
                .finished(1, session: "films", request, .answered(response), nil),
            ])
        // Its file is there until the app has heard (B3).
        hand.tell(.asked(by: 0, .heard(1)))
        #expect(hand.downloads.isEmpty)
    }

    private func wrote(_ bytes: UInt64, upTo done: UInt64) -> DaemonNews {
        .wrote(
            1, session: "films", bytes: ByteCount(bytes), done: ByteCount(done),
            total: ByteCount(10))
    }

    @Test func `what is still what it was goes on, and the app hears where (206)`() throws {
        var hand = try broken()
        let rest = [
            ("ETag", "\"v1\""), ("Content-Range", "bytes 5-9/10"), ("Content-Length", "5"),
        ]
        hand.answer(206, rest, "56789")
        #expect(file(of: hand) == "0123456789")
        #expect(
            hand.news.contains(
                .resumed(1, session: "films", offset: ByteCount(5), total: ByteCount(10))))
        #expect(hand.news.contains(wrote(5, upTo: 10)))
        #expect(hand.news.last?.end == .answered(status: 206))
    }

    @Test func `what has changed begins anew, and nothing of before is left (200, S2)`() throws {
        var hand = try broken()
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "3")], "abc")
        #expect(file(of: hand) == "abc")
        #expect(hand.news.last?.end == .answered(status: 200))
    }

    @Test func `what has become shorter is asked for anew (416, L2)`() throws {
        var hand = try broken()
        hand.answer(416, [("Content-Range", "bytes */3"), ("Content-Length", "0")], "")
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked[2].fields["Range"] == nil)
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "3")], "abc")
        #expect(file(of: hand) == "abc")
    }

    @Test func `a break right after the head of another state leaves nothing to join it to (S2)`()
        throws
    {
        var hand = try broken()
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "10")], "")
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .reset)))
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked[2].fields["Range"] == nil)
    }

    @Test func `an object that does not say where it ends brings no file (S1)`() throws {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, [("ETag", "\"v1\"")], "01234")
        #expect(hand.downloads.isEmpty)
        #expect(hand.news.map(\.end) == [.failed(.badServerResponse)])
    }

    @Test func `an interim answer is none (RFC 9110 §15.2)`() throws {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(103, [("Link", "</a>; rel=preload")], "")
        hand.answer(200, [("ETag", "\"v1\""), ("Content-Length", "3")], "abc")
        #expect(file(of: hand) == "abc")
        #expect(hand.news.last?.end == .answered(status: 200))
    }

    @Test func `what has become empty is empty`() throws {
        var hand = try broken()
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "0")], "")
        #expect(file(of: hand) == "")
        #expect(hand.news.last?.end == .answered(status: 200))
    }

    @Test(arguments: ["\"v2\"", "W/\"v1\"", nil] as [String?])
    func `a rest of another state, or of any, is not joined, though the server sends it (S2)`(
        tag: String?
    ) throws {
        var hand = try broken()
        let rest = [("Content-Range", "bytes 5-9/10"), ("Content-Length", "5")]
        hand.answer(206, rest + (tag.map { [("ETag", $0)] } ?? []), "fghij")
        #expect(file(of: hand) == "01234")
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked[2].fields["Range"] == nil)
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "10")], "abcdefghij")
        #expect(file(of: hand) == "abcdefghij")
    }

    @Test func `nothing is left of what an app has brought whose data is cleared (L5)`()
        throws
    {
        var hand = try broken()
        hand.tell(.app(0, .cleared))
        #expect(hand.downloads.isEmpty)
        #expect(hand.kept.isEmpty)
        #expect(hand.attempts.last == hand.connection.map { .abort($0) })
    }

    @Test(arguments: ["bytes 4-9/10", "bytes 6-9/10", "5-9", nil] as [String?])
    func `another range than was asked for is of no use, and it begins anew (B12)`(
        range: String?
    ) throws {
        var hand = try broken()
        let fields = range.map { [("Content-Range", $0)] } ?? []
        hand.answer(206, fields + [("Content-Length", "6")], "456789")
        #expect(file(of: hand) == "01234")
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked.count == 3 && hand.asked.last?.fields["Range"] == nil)
    }

    @Test func `an answer that ends before the object does is not all of it (S1)`() throws {
        var hand = try broken()
        hand.answer(
            206,
            [("ETag", "\"v1\""), ("Content-Range", "bytes 5-9/10"), ("Content-Length", "3")], "567"
        )
        #expect(!hand.news.contains { if case .finished = $0 { true } else { false } })
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .closedByPeer)))
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked.count == 3 && hand.asked.last?.fields["Range"] == "bytes=8-")
    }

    @Test func `a server that asks for time is given it before the download begins anew (S10)`()
        throws
    {
        var hand = try broken()
        let connects = hand.connects
        hand.answer(416, [("Retry-After", "30"), ("Content-Length", "0")], "")
        hand.wait(.seconds(29))
        #expect(hand.connects == connects)
        hand.wait(.seconds(1))
        #expect(hand.connects == connects + 1)
    }

    @Test(arguments: ["W/\"v1\"", nil] as [String?])
    func `without a strong validator it begins anew each time`(tag: String?) throws {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, [("Content-Length", "10")] + (tag.map { [("ETag", $0)] } ?? []), "01234")
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .reset)))
        hand.wait(.seconds(2))
        hand.connect()
        #expect(hand.asked[1].fields["Range"] == nil)
    }

    @Test func `a disk that takes nothing is tried again (B10)`() {
        var hand = DaemonByHand()
        hand.keeps = false
        hand.download()
        hand.connect()
        hand.answer(200, first, "01234")
        #expect(hand.news == [])
        hand.keeps = true
        hand.wait(.seconds(2))
        hand.connect()
        hand.answer(200, first, "0123456789")
        #expect(file(of: hand) == "0123456789")
    }
}
