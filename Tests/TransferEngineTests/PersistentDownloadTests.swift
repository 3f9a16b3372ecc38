import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Downloads that are added to a persistent session (P2, P4).
@Suite struct PersistentDownloadTests {
    private let fields = [("ETag", "\"v1\""), ("Content-Length", "4")]

    private func opened() -> QueueDownloadByHand {
        var hand = QueueDownloadByHand([], isPersistent: true)
        hand.connect()
        return hand
    }

    @Test func `one that has come whole is at its place before the app hears of its end`() {
        var hand = opened()
        hand.add("in/a.mov", to: "films/a.mov")
        hand.answer(200, fields, "aa")
        #expect(hand.files.isEmpty)
        hand.receive("aa")
        #expect(hand.files == ["films/a.mov": "aaaa"])
        #expect(hand.incoming.isEmpty)
        #expect(hand.heard.last == "stops in/a.mov")
        #expect(hand.kept?.state == .running)
    }

    @Test func `an object that is missing is no file, and the next one comes on its connection`() {
        var hand = opened()
        hand.add("in/a.mov", to: "films/a.mov")
        hand.answer(404, [("Content-Length", "4")], "none")
        hand.add("in/b.mov", to: "films/b.mov")
        hand.answer(200, fields, "bbbb")
        #expect(hand.files == ["films/b.mov": "bbbb"])
        #expect(hand.connections == 1)
        #expect(hand.errors.isEmpty)
    }

    @Test func `what had come of one begins at byte 0 when it is added again`() {
        var hand = opened()
        hand.add("in/a.mov", to: "films/a.mov")
        hand.answer(200, fields, "aa")
        #expect(!hand.incoming.isEmpty)
        hand.lose()
        #expect(hand.incoming.isEmpty)
        hand.wait(.seconds(2))
        hand.connect()
        hand.add("in/a.mov", to: "films/a.mov")
        #expect(hand.asked.last?.fields["Range"] == nil)
        hand.answer(200, fields, "aaaa")
        #expect(hand.files == ["films/a.mov": "aaaa"])
    }

    @Test(arguments: [
        ("../a.mov", "films/a.mov", PathRefusal.sourceOutsideDocroot("../a.mov")),
        ("in/a.mov", "/films/a.mov", PathRefusal.destinationOutsideContainer("/films/a.mov")),
    ])
    func `one that leaves the docroot or the container is refused`(
        source: String, destination: String, refusal: PathRefusal
    ) {
        var hand = opened()
        hand.add(source, to: destination)
        #expect(hand.refusals == [.path(refusal)])
        #expect(hand.asked.isEmpty)
    }
}
