import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Behaviour K5, K6, K9 and K11: what goes wrong with resumable transfers, and what follows.
@Suite struct EntryErrorTests {
    static let starts: [(SourceExamination, Int)] = [
        (.missing, 804), (.notARegularFile, 805), (.file(.zero, digest: 0), 806),
    ]

    @Test(arguments: starts)
    func `an error at the start ends it on iOS and suspends it on Android (K6)`(
        source: SourceExamination, code: Int
    ) {
        for (platform, word) in [(Platform.iOS, "ended"), (.android, "suspended")] {
            var hand = EntriesByHand(on: platform)
            hand.source = source
            hand.upload(1)
            #expect(hand.told == ["1 ongoing", "1 \(word) \(code)"])
            #expect(hand.stored.isEmpty == (platform == .iOS))
            #expect(hand.open.isEmpty && hand.requests.isEmpty)
        }
    }

    @Test func `what was suspended at its start begins when its file is there (K6)`() {
        var hand = EntriesByHand(on: .android)
        hand.source = .missing
        hand.upload(1)
        hand.upload(1)
        #expect(hand.told.suffix(2) == ["1 suspended 804", "1 suspended 804"])
        hand.source = .file(ByteCount(100), digest: 1)
        hand.upload(1)
        hand.begun()
        hand.chunkIsThere()
        hand.chunkIsThere()
        #expect(hand.told.last == "1 completed")
    }

    @Test(arguments: [Platform.iOS, .android])
    func `a lost network suspends it, and nothing is tried by itself (K6)`(platform: Platform) {
        var hand = EntriesByHand(on: platform)
        hand.upload(1)
        hand.begun()
        hand.lose(.networkLost)
        #expect(hand.told.last == "1 suspended -1005")
        hand.wait(.seconds(3600))
        #expect(hand.open.isEmpty && hand.deadline == nil)
        let none = NetworkStatus(
            interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
        hand.tell(.network(none))
        hand.upload(1)
        #expect(hand.told.last == "1 suspended -1009")
    }

    @Test func `without a sign of life for a minute it has timed out`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.wait(.seconds(60))
        #expect(hand.told.last == "1 suspended -1001")
    }

    /// One chunk is on the server.
    private func suspended() -> EntriesByHand {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.suspend(1)
        hand.chunkIsThere()
        return hand
    }

    static let changes: [(SourceExamination, Int)] = [
        (.file(ByteCount(1_200_000), digest: 2), 812), (.file(ByteCount(7), digest: 1), 812),
        (.file(.zero, digest: 0), 812), (.missing, 804), (.notARegularFile, 805),
        (.unreadable, -1102),
    ]

    @Test(arguments: changes)
    func `a file that is not what it was makes a resume fail and stays suspended (K5)`(
        source: SourceExamination, code: Int
    ) {
        var hand = suspended()
        let requests = hand.requests.count
        let before = hand.source
        hand.source = source
        hand.upload(1)
        #expect(hand.told.last == "1 suspended \(code)")
        #expect(hand.told.filter { $0 == "1 ongoing" }.count == 1, "it was not ongoing again")
        #expect(hand.requests.count == requests && hand.open.isEmpty)
        #expect(hand.stored[EntryID(1)]?.state == .suspended)
        hand.source = before
        hand.upload(1)
        hand.has(524_288)
        #expect(hand.told.last == "1 ongoing", "the file is back")
    }

    @Test func `a mere touch is no change (K5)`() {
        var hand = suspended()
        hand.source = .file(ByteCount(1_200_000), digest: 1, modified: 9)
        hand.upload(1)
        hand.has(524_288)
        for _ in 1...3 { hand.chunkIsThere() }
        #expect(hand.told.last == "1 completed")
    }

    @Test func `a touch under way is none either: the chunk is sent again`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.chunkIsThere()
        hand.source = .file(ByteCount(1_200_000), digest: 1, modified: 9)
        if let connection = hand.open.last { hand.tell(.attempt(.unreadable(connection))) }
        hand.has(524_288)
        for _ in 1...3 { hand.chunkIsThere() }
        #expect(hand.told == ["1 ongoing", "1 completed"])
    }

    @Test func `an edit under way suspends it with 812, and its staging is thrown away`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.chunkIsThere()
        hand.source = .file(ByteCount(1_200_000), digest: 2, modified: 9)
        if let connection = hand.open.last { hand.tell(.attempt(.unreadable(connection))) }
        #expect(hand.told.last == "1 suspended 812")
        hand.connect()
        #expect(hand.requests.last == "POST /a/body/uploads/7/status/cancelled")
        #expect(hand.stored[EntryID(1)]?.transfer.resource == nil)
    }

    @Test func `an edit that no attribute shows is found before the commit`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.chunkIsThere()
        hand.source = .file(ByteCount(1_200_000), digest: 2)
        hand.chunkIsThere()
        hand.chunkIsThere()
        #expect(hand.told.last == "1 suspended 812")
        #expect(!hand.requests.contains { $0.hasSuffix("committed") })
    }

    @Test func `what is asked in the wrong state has its error, and nothing changes (K11)`() {
        var hand = EntriesByHand()
        hand.suspend(1)
        hand.terminate(1)
        hand.upload(1)
        hand.upload(1)
        hand.suspend(1)
        hand.suspend(1)
        hand.terminate(1)
        hand.upload(1)
        hand.suspend(1)
        hand.terminate(1)
        #expect(hand.refusals.map(\.code) == [807, 808, 811, 807, 810, 807, 808])
        #expect(hand.told == ["1 ongoing", "1 suspended 809", "1 ended 810"])
        hand.complete(2)
        hand.upload(2)
        #expect(hand.refusals.last?.code == 801)
        hand.tell(.command(.entry(.forget(EntryID(2)))))
        hand.upload(2)
        #expect(hand.told.last == "2 ongoing", "nobody knows of the first one any more")
    }

    @Test func `one object may have several uploads and downloads at a time (K7, K13)`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.upload(2)
        hand.download(3)
        hand.download(4)
        #expect(hand.refusals == [])
        #expect(hand.told == ["1 ongoing", "2 ongoing", "3 ongoing", "4 ongoing"])
        hand.upload(1)
        #expect(hand.refusals == [.error(EntryID(1), .alreadyStarted)])
        hand.suspend(2)
        #expect(hand.told.last == "2 suspended 809")
    }

    @Test(arguments: ["507 Insufficient Storage", "413 Content Too Large"])
    func `a full plan is a clear error, and it can go on when there is room (K9)`(status: String) {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.answer(status)
        #expect(hand.told.last == "1 suspended 507")
        #expect(ResumableError.storageFull.message.contains("delete bodies or take a larger plan"))
        hand.upload(1)
        hand.has(0)
        #expect(hand.told.last == "1 ongoing")
    }

    @Test(arguments: ["503 Service Unavailable", "401 Unauthorized", "409 Conflict"])
    func `what may pass leaves it suspended`(status: String) {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.answer(status)
        #expect(hand.told.last == "1 suspended \(status.prefix(3))")
    }

    @Test func `what the server would never have ends it`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.connect()
        hand.answer("403 Forbidden")
        #expect(hand.told.last == "1 ended 403")
        #expect(hand.stored.isEmpty)
        hand.download(2)
        hand.connect()
        hand.answer("404 Not Found")
        #expect(hand.told.last == "2 ended 404")
    }

    @Test func `a range that cannot be had ends a download (813)`() {
        var hand = EntriesByHand()
        hand.download(1)
        hand.connect()
        hand.answer("200 OK", "ETag: \"1\"\r\n", upTo: 2_000_000)
        hand.bytes(600_000)
        hand.lose()
        hand.download(1)
        hand.connect()
        hand.answer("416 Range Not Satisfiable", "Content-Range: bytes */10\r\n")
        #expect(hand.told.last == "1 ended 813")
        #expect(hand.discarded == ["transfers/1.part"])
    }

    @Test func `a target that cannot be written is 814, and a start error as any (K6)`() {
        for (platform, word) in [(Platform.iOS, "ended"), (.android, "suspended")] {
            var hand = EntriesByHand(on: platform)
            hand.partIsWritable = false
            hand.download(1)
            hand.connect()
            hand.answer("200 OK", upTo: 600_000)
            hand.bytes(600_000)
            #expect(hand.told.last == "1 \(word) 814")
        }
        var hand = EntriesByHand()
        hand.placement = .refused
        hand.download(1)
        hand.connect()
        hand.answer("200 OK", "ETag: \"1\"\r\n", upTo: 600_000)
        hand.bytes(600_000)
        #expect(hand.told.last == "1 suspended 814", "all of it is there, and waits for room")
    }

    @Test func `a store that cannot keep it refuses it, or suspends it`() {
        var hand = EntriesByHand()
        hand.storeRefuses = true
        hand.upload(1)
        #expect(hand.refusals == [.notStored(EntryID(1), "full")])
        hand.storeRefuses = false
        hand.upload(1)
        hand.connect()
        hand.storeRefuses = true
        hand.answer("200 OK", body: "{\"uploadID\":\"7\"}")
        #expect(hand.told == ["1 ongoing", "1 suspended -3003"])
    }

    static let requests: [(EntryRequest, EntryRefusal)] = [
        (changed { $0.account.host = "" }, .accountWithoutHost(EntryID(1))),
        (
            changed { $0.account.credentials = CredentialHandle("") },
            .accountWithoutCredentials(EntryID(1))
        ),
        (changed { $0.path = "/etc/passwd" }, .fileOutsideContainer(EntryID(1), "/etc/passwd")),
        (
            changed { $0.object = "a/b" },
            .noObject(EntryID(1), "lab/buckets/films/objects/a/b")
        ),
        (changed { $0.object = ".." }, .noObject(EntryID(1), "lab/buckets/films/objects/..")),
    ]

    private static func changed(_ change: (inout EntryRequest) -> Void) -> EntryRequest {
        var request = EntriesByHand.request()
        change(&request)
        return request
    }

    @Test func `a number whose bits would mean something else is refused`() {
        var hand = EntriesByHand()
        let id = EntryID(1 << 48)
        hand.tell(.command(.entry(.transfer(id, EntriesByHand.request()))))
        #expect(hand.refusals == [.numberTooLarge(id)])
        #expect(
            hand.refusals.first?.message
                == "the number 281474976710656 is too large: give one below 281474976710656")
        #expect(hand.told.isEmpty && hand.stored.isEmpty)
    }

    @Test(arguments: requests) func `a request that lacks something is refused and says what`(
        request: EntryRequest, refusal: EntryRefusal
    ) {
        var hand = EntriesByHand()
        hand.tell(.command(.entry(.transfer(EntryID(1), request))))
        #expect(hand.refusals == [refusal])
        #expect(hand.told.isEmpty && hand.stored.isEmpty)
        #expect(!refusal.message.isEmpty)
    }

    @Test func `nothing can be transferred before the engine is initialised`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.command(.entry(.suspend(EntryID(1)))), at: .start, into: &outputs)
        #expect(outputs == [.tell(.refused(.entry(.notInitialised(EntryID(1)))))])
    }
}
