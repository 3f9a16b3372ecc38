import Protocols
import Quantities
import Testing
import TransferEngine

/// A15, the other way: what becomes of a download whose file is there already.
@Suite struct DownloadOverwriteTests {
    enum Outcome { case fetched, kept, refused }

    /// The app's file holds “hello”; the object has a text and a date, in seconds after that of the
    /// file.
    static let table: [(OverwritePolicy, object: String, later: Int64, Outcome)] = [
        (.never, "hello", 0, .refused), (.never, "other", 9, .refused),
        (.always, "hello", 0, .fetched),
        (.ifDifferent, "hello", 9, .kept), (.ifDifferent, "other", -9, .fetched),
        (.ifDifferent, "longer text", -9, .fetched),
        (.ifOlder, "hello", 9, .fetched), (.ifOlder, "other", 0, .kept),
        (.ifOlder, "other", -9, .kept),
        (.ifDifferentAndOlder, "hello", 9, .kept), (.ifDifferentAndOlder, "other", 9, .fetched),
        (.ifDifferentAndOlder, "other", 0, .kept),
    ]

    @Test(arguments: table.indices)
    func `each policy decides by the object, its content and its date`(row: Int) {
        let (policy, object, later, outcome) = Self.table[row]
        var hand = QueueDownloadByHand(
            settings: TransferSettings(overwrite: policy), over: "hello")
        hand.connect()
        if policy != .never, policy != .always {
            #expect(hand.asked.map(\.method) == ["HEAD"])
            hand.answer(200, Self.fields(of: object, later: later), "")
        }
        if outcome == .fetched { hand.answer(200, [("Content-Length", "\(object.count)")], object) }
        #expect(hand.files["films/a.mov"] == (outcome == .fetched ? object : "hello"))
        #expect(hand.errors == (outcome == .refused ? [42] : []))
        #expect((hand.asked.last?.method == "GET") == (outcome == .fetched))
        #expect((hand.heard.last == "completed") == (outcome != .refused))
        if outcome == .kept {
            #expect(hand.heard == ["starts in/a.mov", "stops in/a.mov", "completed"])
        }
    }

    @Test func `without a file there nothing is asked but the object`() {
        var hand = QueueDownloadByHand(settings: TransferSettings(overwrite: .never))
        hand.connect()
        #expect(hand.asked.map(\.method) == ["GET"])
        hand.answer(200, [("Content-Length", "5")], "hello")
        #expect(hand.files["films/a.mov"] == "hello")
    }

    @Test func `an object that is not there is an error as ever`() {
        var hand = QueueDownloadByHand(over: "hello")
        hand.connect()
        hand.answer(404, [], "")
        #expect(hand.errors == [4])
        #expect(hand.files["films/a.mov"] == "hello")
    }

    /// What was begun is not hindered by itself, nor asked about again.
    @Test func `a download that goes on after a kill does not ask again`() {
        var hand = QueueDownloadByHand(
            settings: TransferSettings(overwrite: .ifDifferent), over: "hello")
        hand.connect()
        hand.answer(200, Self.fields(of: "other", later: 0), "")
        hand.answer(200, [("Content-Length", "5"), ("ETag", "\"v1\"")], "ot")
        hand.kill()
        hand.connect()
        #expect(hand.asked.map(\.method) == ["HEAD", "GET", "GET"])
        #expect(hand.asked.last?.fields["Range"] == "bytes=2-")
        let rest = [
            ("Content-Length", "3"), ("Content-Range", "bytes 2-4/5"), ("ETag", "\"v1\""),
        ]
        hand.answer(206, rest, "her")
        #expect(hand.files["films/a.mov"] == "other")
    }

    @Test func `under none a download begins at byte 0, whatever there is of it`() {
        var hand = QueueDownloadByHand(settings: TransferSettings(resume: .none))
        hand.connect()
        hand.answer(200, [("Content-Length", "5"), ("ETag", "\"v1\"")], "he")
        hand.kill()
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == nil)
        hand.answer(200, [("Content-Length", "5"), ("ETag", "\"v1\"")], "hello")
        #expect(hand.files["films/a.mov"] == "hello")
    }

    private static func fields(of object: String, later: Int64) -> [(String, String)] {
        let date = UInt64(Int64(QueueDownloadByHand.date) + later)
        return [
            ("Content-Length", "\(object.utf8.count)"), ("Last-Modified", HTTPDate.text(date)),
            ReprDigest.ranges(QueueDownloadByHand.digest(of: object)).field,
        ]
    }
}
