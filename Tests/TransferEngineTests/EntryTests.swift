import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Behaviour K: uploads and downloads that are suspended, resumed and terminated.
@Suite struct EntryTests {
    @Test func `an upload goes in chunks of 512 KiB and is committed (K12)`() {
        var hand = EntriesByHand()
        hand.complete(1)
        #expect(
            hand.requests == [
                "POST /a/body/uploads", "PUT /a/body/uploads/7/data", "PUT /a/body/uploads/7/data",
                "PUT /a/body/uploads/7/data", "POST /a/body/uploads/7/status/committed",
            ])
        #expect(
            hand.fields[1...3].compactMap { $0["Content-Range"] } == [
                "bytes=0-524287/1200000", "bytes=524288-1048575/1200000",
                "bytes=1048576-1199999/1200000",
            ])
        #expect(hand.told == ["1 ongoing", "1 completed"])
        #expect(hand.progress == [524_288, 1_048_576, 1_200_000])
        #expect(hand.open.isEmpty && hand.stored.isEmpty && hand.deadline == nil)
    }

    @Test func `a download comes into a part of its own and then to its place (K12, S1)`() {
        var hand = EntriesByHand()
        hand.download(1)
        hand.connect()
        hand.answer("200 OK", "ETag: \"1\"\r\n", upTo: 600_000)
        #expect(hand.placements.isEmpty)
        hand.bytes(600_000)
        #expect(hand.requests == ["GET /a/body"])
        #expect(hand.placements == ["transfers/1.part to b.mov"])
        #expect(hand.told == ["1 ongoing", "1 completed"])
        #expect(hand.stored.isEmpty)
    }

    @Test func `the chunk in flight ends and is reported before a suspension (K3)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.suspend(1)
        #expect(hand.told == ["1 ongoing"])
        hand.chunkIsThere()
        #expect(hand.progress == [524_288])
        #expect(hand.told == ["1 ongoing", "1 suspended 809"])
        #expect(hand.open.isEmpty && hand.requests.count == 2)
        #expect(hand.stored[EntryID(1)]?.done == ByteCount(524_288))
    }

    @Test func `a download stops at a boundary of a chunk (K3)`() {
        var hand = EntriesByHand()
        hand.download(1)
        hand.connect()
        hand.answer("200 OK", "ETag: \"1\"\r\n", upTo: 2_000_000)
        hand.bytes(100_000)
        hand.suspend(1)
        #expect(hand.told == ["1 ongoing"])
        hand.bytes(430_000)
        #expect(hand.told == ["1 ongoing", "1 suspended 809"])
        #expect(hand.progress == [530_000])
        hand.download(1)
        hand.connect()
        #expect(hand.fields.last?["Range"] == "bytes=530000-")
        #expect(hand.fields.last?["If-Range"] == "\"1\"")
    }

    @Test func `where nothing is in flight a suspension is at once`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.suspend(1)
        #expect(hand.told == ["1 ongoing", "1 suspended 809"])
        #expect(hand.open.isEmpty)
    }

    @Test func `one that is suspended before the store has it is suspended then`() {
        var hand = EntriesByHand()
        hand.storeIsSlow = true
        hand.upload(1)
        hand.suspend(1)
        #expect(hand.told.isEmpty)
        hand.storeAnswers()
        #expect(hand.told == ["1 ongoing", "1 suspended 809"])
        #expect(hand.open.isEmpty)
    }

    @Test func `a resume asks what the server has and goes on there (S3)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.suspend(1)
        hand.chunkIsThere()
        hand.upload(1)
        hand.has(524_288)
        #expect(hand.requests.suffix(2) == ["GET /a/body/uploads/7", "PUT /a/body/uploads/7/data"])
        #expect(hand.fields.last?["Content-Range"] == "bytes=524288-1048575/1200000")
        hand.chunkIsThere()
        hand.chunkIsThere()
        hand.chunkIsThere()
        #expect(hand.told.last == "1 completed")
    }

    @Test func `terminating removes it, and the server is told (L5)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.terminate(1)
        #expect(hand.told == ["1 ongoing", "1 ended 810"])
        #expect(hand.stored.isEmpty)
        hand.connect()
        #expect(hand.requests.last == "POST /a/body/uploads/7/status/cancelled")
        hand.chunkIsThere()
        #expect(hand.open.isEmpty && hand.deadline == nil)
    }

    @Test func `what has come of a download goes with it`() {
        var hand = EntriesByHand()
        hand.download(1)
        hand.connect()
        hand.terminate(1)
        #expect(hand.discarded == ["transfers/1.part"])
        #expect(hand.told == ["1 ongoing", "1 ended 810"])
    }

    @Test func `a farewell that nobody hears is given up`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.terminate(1)
        #expect(hand.deadline == .start + .seconds(60))
        hand.wait(.seconds(60))
        #expect(hand.open.isEmpty && hand.deadline == nil)
    }

    @Test func `the home button comes before a source that is still read (K4)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.suspend(1)
        hand.chunkIsThere()
        hand.examinesAtOnce = false
        hand.upload(1)
        let connections = hand.open.count
        hand.tell(.enteredBackground)
        hand.examine()
        #expect(hand.told.suffix(2) == ["1 suspended 809", "1 suspended 809"])
        #expect(hand.open.count == connections)
    }

    @Test func `the home button suspends on iOS, and not on Android (K4)`() {
        var phone = EntriesByHand(on: .iOS)
        phone.upload(1)
        phone.begun()
        phone.tell(.enteredBackground)
        phone.chunkIsThere()
        #expect(phone.told == ["1 ongoing", "1 suspended 809"])
        var other = EntriesByHand(on: .android)
        other.upload(1)
        other.begun()
        other.tell(.enteredBackground)
        for _ in 1...4 { other.chunkIsThere() }
        #expect(other.told == ["1 ongoing", "1 completed"])
    }

    @Test(arguments: [Platform.iOS, .android])
    func `a killed process leaves it suspended, and a launch can go on (K4)`(platform: Platform) {
        var first = EntriesByHand(on: platform)
        first.upload(1)
        first.begun()
        first.chunkIsThere()
        var second = EntriesByHand(on: platform, holding: Array(first.stored.values))
        #expect(second.stored[EntryID(1)]?.state == .suspended)
        #expect(second.told.isEmpty && second.open.isEmpty)
        second.upload(1)
        second.has(524_288)
        #expect(second.told == ["1 ongoing"])
        #expect(second.fields.last?["Content-Range"] == "bytes=524288-1048575/1200000")
    }

    @Test func `a commit whose answer was lost is asked for again, and nothing is sent (S8)`() {
        var first = EntriesByHand()
        first.upload(1)
        first.begun()
        for _ in 1...3 { first.chunkIsThere() }
        first.lose()
        #expect(first.told.last == "1 suspended -1005")
        var second = EntriesByHand(holding: Array(first.stored.values))
        second.source = .missing
        second.upload(1)
        second.connect()
        second.answer("204 No Content")
        #expect(second.requests == ["POST /a/body/uploads/7/status/committed"])
        #expect(second.told == ["1 ongoing", "1 completed"])
    }

    @Test func `what may be published is never sent a second time (S8, L2)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        for _ in 1...3 { hand.chunkIsThere() }
        hand.lose()
        hand.upload(1)
        hand.connect()
        hand.answer("404 Not Found")
        #expect(hand.told.last == "1 ended 404")
        #expect(hand.stored.isEmpty && hand.open.isEmpty)
    }

    @Test func `a server that has lost some of it before the commit gets it again (L2)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        for _ in 1...3 { hand.chunkIsThere() }
        hand.answer("409 Conflict")
        #expect(hand.told.last == "1 suspended 409")
        hand.upload(1)
        hand.has(1_048_576)
        #expect(hand.fields.last?["Content-Range"] == "bytes=1048576-1199999/1200000")
    }

    @Test func `an upload that the server knows no more begins anew (L2)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.answer("404 Not Found")
        #expect(hand.told.last == "1 suspended 404")
        hand.upload(1)
        hand.begun(8)
        #expect(hand.requests.suffix(2) == ["POST /a/body/uploads", "PUT /a/body/uploads/8/data"])
        hand.suspend(1)
        hand.chunkIsThere()
        hand.upload(1)
        hand.connect()
        hand.answer("404 Not Found")
        #expect(hand.requests.last == "POST /a/body/uploads", "asked for, it begins at once")
    }

    @Test func `a download that was whole is only put in its place by the next launch`() {
        var first = EntriesByHand()
        first.download(1)
        first.connect()
        first.answer("200 OK", "ETag: \"1\"\r\n", upTo: 600_000)
        first.storeIsSlow = true
        first.bytes(600_000)
        #expect(first.placements.isEmpty, "first the store has to know that it is whole")
        var second = EntriesByHand(holding: Array(first.stored.values))
        second.part = ByteCount(600_000)
        second.download(1)
        second.connect()
        #expect(second.requests.isEmpty)
        #expect(second.told == ["1 ongoing", "1 completed"])
    }

    @Test func `a part that has its place already is complete`() {
        var first = EntriesByHand()
        first.download(1)
        first.connect()
        first.answer("200 OK", "ETag: \"1\"\r\n", upTo: 600_000)
        first.bytes(500_000)
        var record = first.stored[EntryID(1)]
        record?.transfer.isComplete = true
        var second = EntriesByHand(holding: record.map { [$0] } ?? [])
        second.placement = .missing
        second.download(1)
        #expect(second.told == ["1 ongoing", "1 completed"])
        #expect(second.open.isEmpty)
    }

    @Test func `a body that was replaced is downloaded from its beginning (K8, S2)`() {
        var hand = EntriesByHand()
        hand.download(1)
        hand.connect()
        hand.answer("200 OK", "ETag: \"1\"\r\n", upTo: 2_000_000)
        hand.bytes(600_000)
        hand.lose()
        #expect(hand.told.last == "1 suspended -1005")
        hand.download(1)
        hand.connect()
        hand.answer("200 OK", "ETag: \"2\"\r\n", upTo: 700_000)
        hand.bytes(700_000)
        #expect(hand.told.last == "1 completed")
        #expect(hand.part == ByteCount(700_000))
        #expect(hand.progress == [600_000, 700_000])
    }
}
