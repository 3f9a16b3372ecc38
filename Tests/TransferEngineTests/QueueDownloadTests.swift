import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Downloads of the queue's sessions (A13, A16): whole or not at all, and by ranges where a part of
/// the same state is there.
@Suite struct QueueDownloadTests {
    private let first = [("ETag", "\"v1\""), ("Content-Length", "10")]

    /// Half of it has come when the connection breaks.
    private func broken() -> QueueDownloadByHand {
        var hand = QueueDownloadByHand()
        hand.connect()
        #expect(hand.asked[0].fields["Range"] == nil)
        hand.answer(200, first, "01234")
        hand.lose()
        hand.wait(.seconds(2))
        hand.connect()
        #expect(hand.asked[1].fields["Range"] == "bytes=5-")
        #expect(hand.asked[1].fields["If-Range"] == "\"v1\"")
        return hand
    }

    @Test func `what has come whole is at its place before the app hears of its end`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        #expect(hand.asked.map(\.target) == ["/dav/in/a.mov"])
        hand.answer(200, first, "01234")
        #expect(hand.files.isEmpty)
        hand.receive("56789")
        #expect(hand.files == ["films/a.mov": "0123456789"])
        #expect(hand.incoming.isEmpty)
        #expect(
            hand.heard == [
                "starts in/a.mov", "5 of 10", "10 of 10", "stops in/a.mov", "completed",
            ])
        #expect(hand.kept?.state == .completed)
    }

    /// The fields of an answer with the rest of ten bytes.
    private static func rest(from offset: Int) -> [(String, String)] {
        [
            ("ETag", "\"v1\""), ("Content-Range", "bytes \(offset)-9/10"),
            ("Content-Length", "\(10 - offset)"),
        ]
    }

    @Test func `what is still what it was goes on (206)`() {
        var hand = broken()
        hand.answer(206, Self.rest(from: 5), "56789")
        #expect(hand.files == ["films/a.mov": "0123456789"])
        #expect(hand.resumes == [ByteCount(5)])
    }

    @Test(arguments: [true, false]) func `what has changed begins anew (200, S2)`(
        hasRanges: Bool
    ) {
        var hand = broken()
        let tag = [("ETag", hasRanges ? "\"v2\"" : "\"v1\"")]
        hand.answer(200, tag + [("Content-Length", "3")], "abc")
        #expect(hand.files == ["films/a.mov": "abc"])
        #expect(hand.resumes == [])
    }

    @Test func `what has become shorter is asked for anew, and that spends a failure (416, L2)`() {
        var hand = broken()
        hand.answer(416, [("Content-Range", "bytes */3"), ("Content-Length", "0")], "")
        #expect(hand.kept?.failures == 2)
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked[2].fields["Range"] == nil)
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "3")], "abc")
        #expect(hand.files == ["films/a.mov": "abc"])
    }

    @Test func `a launch goes on where the last one was cut off`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        hand.answer(200, first, "0123")
        hand.kill()
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == "bytes=4-")
        hand.answer(206, Self.rest(from: 4), "456789")
        #expect(hand.files == ["films/a.mov": "0123456789"])
    }

    @Test func `a part whose state nobody knows is not gone on with`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        // Without a validator.
        hand.answer(200, [("Content-Length", "10")], "01234")
        hand.lose()
        hand.wait(.seconds(2))
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == nil)
    }

    static let refusals: [(status: Int, code: Int, isFinal: Bool)] = [
        (404, 4, true), (410, 4, true), (403, 5, true), (401, 19, true), (302, 12, false),
        (503, 39, false), (429, 39, false), (400, 1, true),
    ]

    @Test(arguments: refusals) func `an answer without the object is an error of A16`(
        status: Int, code: Int, isFinal: Bool
    ) {
        var hand = QueueDownloadByHand()
        hand.connect()
        hand.answer(status, [("Content-Length", "4")], "nope")
        #expect(hand.errors == [code])
        #expect(hand.files.isEmpty && hand.incoming.isEmpty)
        #expect(hand.kept?.state == (isFinal ? .failed : .retrying))
    }

    @Test func `a disk that takes nothing is error 36, and is tried again`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        hand.isFull = true
        hand.answer(200, first, "01234")
        #expect(hand.errors == [36])
        #expect(hand.kept?.state == .retrying)
        hand.isFull = false
        hand.wait(.seconds(2))
        hand.connect()
        hand.answer(200, first, "0123456789")
        #expect(hand.files == ["films/a.mov": "0123456789"])
    }

    @Test func `one that cannot be put to its place is error 36, too`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        hand.places = false
        hand.answer(200, first, "0123456789")
        #expect(hand.errors == [36])
        #expect(hand.files.isEmpty)
    }

    @Test func `several files of a session come one after the other over its connection (A20)`() {
        var hand = QueueDownloadByHand([("in/a.mov", "films/a.mov"), ("in/b.mov", "films/b.mov")])
        hand.connect()
        hand.answer(200, first, "0123456789")
        hand.answer(200, [("ETag", "\"w\""), ("Content-Length", "0")], "")
        #expect(hand.files == ["films/a.mov": "0123456789", "films/b.mov": ""])
        #expect(hand.asked.map(\.target) == ["/dav/in/a.mov", "/dav/in/b.mov"])
        #expect(hand.kept?.state == .completed)
    }

    @Test func `the second file over a connection is not over because the first one was`() {
        var hand = QueueDownloadByHand([("in/a.mov", "films/a.mov"), ("in/b.mov", "films/b.mov")])
        hand.connect()
        hand.answer(200, first, "0123456789")
        hand.answer(200, [("ETag", "\"w\""), ("Transfer-Encoding", "chunked")], "3\r\nabc\r\n")
        #expect(hand.files["films/b.mov"] == nil)
        hand.receive("2\r\nde\r\n0\r\n\r\n")
        #expect(hand.files["films/b.mov"] == "abcde")
    }

    @Test func `a session that leaves the queue leaves no part of a file behind`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        hand.answer(200, first, "01234")
        hand.ask(.cancel)
        #expect(hand.incoming.count == 1)
        hand.ask(.remove)
        #expect(hand.incoming.isEmpty)
    }

    @Test func `nor does one whose file was to start over`() {
        var hand = broken()
        hand.answer(206, Self.rest(from: 3), "3456789")
        hand.ask(.cancel)
        #expect(hand.incoming.count == 1)
        hand.ask(.remove)
        #expect(hand.incoming.isEmpty)
    }

    @Test
    func `one that is cancelled and run again goes on, and one that was complete begins anew`() {
        var hand = QueueDownloadByHand(settings: QueueBench.plain)
        hand.connect()
        hand.answer(200, first, "01234")
        hand.ask(.cancel)
        hand.ask(.run)
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == "bytes=5-")
        hand.answer(206, Self.rest(from: 5), "56789")
        #expect(hand.kept?.state == .completed)
        hand.ask(.run)
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == nil)
        hand.answer(200, [("ETag", "\"v2\""), ("Content-Length", "3")], "abc")
        #expect(hand.files == ["films/a.mov": "abc"])
    }

    @Test func `paths that leave their places are refused (A13)`() {
        for (source, destination, refusal) in [
            ("../a", "b", QueueRefusal.sourceOutsideDocroot("../a")),
            ("a", "/etc/b", .destinationOutsideContainer("/etc/b")),
        ] {
            #expect(QueueDownloadByHand([(source, destination)]).refusals == [refusal])
        }
    }
}
