import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// A session of several files of which one fails (A21).
@Suite struct SomeFilesFailTests {
    private let fields = [("ETag", "\"v1\""), ("Content-Length", "4")]
    private let none = [("Content-Length", "0")]

    private func three() -> QueueDownloadByHand {
        var hand = QueueDownloadByHand([
            ("in/a.mov", "films/a.mov"), ("in/b.mov", "films/b.mov"), ("in/c.mov", "films/c.mov"),
        ])
        hand.connect()
        hand.answer(200, fields, "aaaa")
        return hand
    }

    @Test func `the others come over the same connection, and the end says which is missing`() {
        var hand = three()
        hand.answer(404, none, "")
        hand.answer(200, fields, "cccc")
        #expect(hand.files == ["films/a.mov": "aaaa", "films/c.mov": "cccc"])
        #expect(hand.connections == 1)
        #expect(hand.errors == [27])
        #expect(hand.kept?.state == .failed)
        #expect(hand.kept?.transfers.map(\.isComplete) == [true, false, true])
        #expect(hand.kept?.transfers.map(\.failure) == [nil, .noSuchFile, nil])
        #expect(hand.heard.last == "some files failed: in/b.mov (no such file, error 4)")
    }

    @Test func `only a run by hand tries the file again, and no other`() {
        var hand = three()
        hand.answer(404, none, "")
        hand.kill()
        hand.connect()
        #expect(hand.asked.last?.target == "/dav/in/c.mov", "the launch passes over what failed")
        hand.answer(200, fields, "cccc")
        #expect(hand.kept?.state == .failed)
        hand.ask(.run)
        hand.connect()
        let asked = hand.asked.count
        #expect(hand.asked.last?.target == "/dav/in/b.mov")
        hand.answer(200, fields, "bbbb")
        #expect(hand.asked.count == asked)
        #expect(hand.kept?.state == .completed)
        #expect(hand.files["films/b.mov"] == "bbbb")
    }

    @Test func `a file that breaks off its answer gets another connection for the next`() {
        var hand = three()
        // The budget is spent by errors of the disk, each in the middle of the answer.
        hand.isFull = true
        for pause in [2, 4, 8, 16, 32, 60, 60] as [Int64] {
            hand.answer(200, fields, "b")
            hand.wait(.seconds(pause))
            hand.connect()
        }
        #expect(hand.kept?.failures == 7)
        let connections = hand.connections
        hand.answer(200, fields, "b")
        hand.isFull = false
        #expect(hand.connections == connections + 1)
        #expect(hand.kept?.transfers.map(\.failure) == [nil, .diskWrite, nil])
        hand.connect()
        hand.answer(200, fields, "cccc")
        #expect(hand.kept?.state == .failed)
        #expect(hand.errors == [36, 36, 36, 36, 36, 36, 36, 27])
        #expect(hand.files["films/c.mov"] == "cccc")
    }

    @Test func `the last file of a session that fails opens no connection`() {
        var hand = three()
        hand.answer(200, fields, "bbbb")
        hand.answer(404, none, "")
        #expect(hand.connections == 1)
        #expect(hand.errors == [27])
    }

    @Test func `the only file of a session is the session's error`() {
        var hand = QueueDownloadByHand()
        hand.connect()
        hand.answer(404, none, "")
        #expect(hand.errors == [4])
        #expect(hand.kept?.transfers[0].failure == nil)
    }

    @Test func `of many files the end names five and counts the others`() {
        var hand = QueueDownloadByHand(
            (1...7).map { ("in/\($0).mov", "films/\($0).mov") })
        hand.connect()
        for _ in 1...7 { hand.answer(404, none, "") }
        let named = (1...5).map { "in/\($0).mov (no such file, error 4)" }
        #expect(
            hand.heard.last
                == "some files failed: \(named.joined(separator: ", ")) and 2 more")
    }

    // MARK: Progress over all files (A12)

    @Test func `progress counts what has come, with a total when all sizes are known`() {
        var hand = three()
        hand.answer(200, fields, "bbbb")
        hand.answer(200, fields, "cccc")
        #expect(hand.progress == ["4 of ?", "8 of ?", "12 of 12"])
    }

    @Test func `an upload knows the size of all files from its first progress on`() throws {
        var world = DirectWorld()
        world.files = [
            "a.mov": (FileVersion(file: 1, edit: 0), ByteCount(300_000)),
            "b.mov": (FileVersion(file: 2, edit: 0), ByteCount(500_000)),
        ]
        let account = Account(host: "docroot", port: 80, credentials: CredentialHandle("app"))
        let files = ["a.mov", "b.mov"].map {
            SessionRequest.File(source: $0, destination: "in/\($0)")
        }
        world.launch(enqueuing: [SessionRequest(account: account, uploads: files)])
        world.run()
        let progress = world.callbacks.compactMap { callback -> SessionProgress? in
            if case .progress(_, _, _, let whole) = callback { whole } else { nil }
        }
        #expect(progress.allSatisfy { $0.total == ByteCount(800_000) })
        #expect(try #require(progress.first).done < ByteCount(300_000))
        #expect(progress.last?.done == ByteCount(800_000))
    }

    @Test func `after a launch it goes on where it was`() {
        var hand = three()
        hand.answer(200, fields, "bbbb")
        hand.kill()
        hand.connect()
        hand.answer(200, fields, "cc")
        #expect(hand.progress.last == "10 of 12")
    }

    @Test func `an object that is missing counts for nothing`() {
        var hand = three()
        hand.answer(404, none, "")
        hand.answer(200, fields, "cccc")
        #expect(hand.progress == ["4 of ?", "8 of 8"], "what is missing has no size")
    }
}
