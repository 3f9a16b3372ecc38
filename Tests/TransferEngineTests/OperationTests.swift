import Content
import Quantities
import Testing
import TransferEngine

/// Behaviour U: upload operations, their lists, their tokens, and what an app can ask of them.
@Suite struct OperationTests {
    @Test func `many go on at once, each on a connection of its own (U1)`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.start(2)
        #expect(hand.told == ["1 added", "2 added"])
        #expect(hand.open.count == 2)
    }

    @Test func `an address is asked for, and all of the file is sent there (U6)`() {
        var hand = OperationsByHand()
        hand.complete(1)
        #expect(hand.requests.map(\.line) == ["POST /once/in/1.mov", "PUT /once/x?expires=9"])
        #expect(hand.told == ["1 added", "1 completed"])
        #expect(hand.open.isEmpty)
    }

    @Test func `one that has completed is listed for ten seconds, and then gone (U2)`() {
        var hand = OperationsByHand()
        hand.complete(1)
        #expect(hand.deadline == .start + .seconds(10))
        hand.wait(.seconds(9))
        #expect(hand.told.last == "1 completed")
        hand.wait(.seconds(1))
        #expect(hand.told.last == "1 aged out")
        hand.retry(1)
        #expect(hand.refusals == [.noSuchOperation(OperationID(1))])
    }

    @Test func `a number that is used again has another key (S8)`() {
        var hand = OperationsByHand()
        hand.complete(1)
        hand.wait(.seconds(10))
        hand.complete(1)
        let keys = hand.requests.compactMap(\.key)
        #expect(keys.count == 2 && Set(keys).count == 2)
    }

    @Test func `one that has failed is listed for a minute, and retried at any time (U2, U6)`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.lose()
        #expect(hand.told == ["1 added", "1 failed -1005"])
        hand.wait(.seconds(59))
        #expect(hand.told.last == "1 failed -1005")
        hand.wait(.seconds(1))
        #expect(hand.told.last == "1 aged out")
        hand.wait(.seconds(3600))
        hand.retry(1)
        hand.sign()
        hand.answer("201 Created")
        #expect(hand.told.suffix(2) == ["1 added", "1 completed"])
        #expect(hand.refusals.isEmpty)
    }

    @Test func `nothing is tried again by itself`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.lose(.refused)
        hand.wait(.seconds(30))
        #expect(hand.open.isEmpty)
        #expect(hand.told == ["1 added", "1 failed -1005"])
    }

    @Test func `a retry begins at byte 0, at its address and under its key (U7, S8)`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.sign()
        hand.lose()
        hand.retry(1)
        if let connection = hand.open.last { hand.tell(.attempt(.connected(connection))) }
        #expect(
            hand.requests.map(\.line) == [
                "POST /once/in/1.mov", "PUT /once/x?expires=9", "PUT /once/x?expires=9",
            ])
        #expect(hand.requests[1].key == "7-1-0")
        #expect(hand.requests[2].key == "7-1-0")
    }

    @Test func `cancelling ends in failed (U5)`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.start(2)
        hand.cancel(1)
        hand.cancel(1)
        #expect(hand.told == ["1 added", "2 added", "1 failed -999"])
        #expect(hand.open.count == 1, "the other one goes on")
    }

    @Test func `flushing leaves alone what is ongoing (U7)`() {
        var hand = OperationsByHand()
        hand.complete(1)
        hand.start(2)
        hand.start(3)
        hand.cancel(3)
        hand.tell(.command(.operation(.flush)))
        #expect(hand.told.suffix(2) == ["3 flushed", "1 flushed"])
        #expect(hand.open.count == 1)
        hand.retry(3)
        #expect(hand.told.last == "3 added", "who has failed can be retried, listed or not (U6)")
    }

    @Test func `what the app holds no more is forgotten once it is in no list`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.cancel(1)
        hand.tell(.command(.operation(.forget(OperationID(1)))))
        hand.retry(1)
        #expect(hand.refusals.isEmpty, "it is in a list")
        hand.cancel(1)
        hand.wait(.seconds(60))
        hand.tell(.command(.operation(.forget(OperationID(1)))))
        hand.retry(1)
        #expect(hand.refusals == [.noSuchOperation(OperationID(1))])
    }

    @Test func `what cannot be done is refused, and nothing changes`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.start(1)
        hand.retry(1)
        hand.cancel(2)
        // It would be taken for something else by its bits.
        hand.start(1 << 48)
        #expect(
            hand.refusals == [
                .numberInUse(OperationID(1)), .notFailed(OperationID(1), .ongoing),
                .noSuchOperation(OperationID(2)), .numberTooLarge(OperationID(1 << 48)),
            ])
        #expect(hand.told == ["1 added"])
    }

    static let requests: [(OperationRequest, OperationRefusal)] = [
        (request(host: ""), .accountWithoutHost),
        (request(credentials: ""), .accountWithoutCredentials),
        (request(source: "/etc/passwd"), .sourceOutsideContainer("/etc/passwd")),
        (request(destination: "../x"), .destinationOutsideDocroot("../x")),
    ]

    @Test(arguments: requests) func `a request that lacks something is refused and says what`(
        request: OperationRequest, refusal: OperationRefusal
    ) {
        var hand = OperationsByHand()
        hand.tell(.command(.operation(.start(OperationID(1), request))))
        #expect(hand.refusals == [refusal])
        #expect(hand.told.isEmpty && hand.deadline == nil)
        #expect(!refusal.message.isEmpty)
    }

    @Test func `nothing can be uploaded before the engine is initialised`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.command(.operation(.flush)), at: .start, into: &outputs)
        #expect(outputs == [.tell(.refused(.operation(.notInitialised(nil))))])
    }

    private static func request(
        host: String = "docroot", credentials: String = "app", source: String = "a",
        destination: String = "x"
    ) -> OperationRequest {
        OperationRequest(
            account: Account(host: host, port: 80, credentials: CredentialHandle(credentials)),
            source: source, destination: destination)
    }
}

/// How operations fail, and what becomes of their tokens.
@Suite struct OperationFailureTests {
    @Test func `without a network it fails at once`() {
        var hand = OperationsByHand()
        let none = NetworkStatus(
            interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
        hand.tell(.network(none))
        hand.start(1)
        #expect(hand.told == ["1 added", "1 failed -1009"])
        #expect(hand.open.isEmpty)
    }

    @Test func `without a sign of life for a minute it has timed out`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.wait(.seconds(60))
        #expect(hand.told == ["1 added", "1 failed -1001"])
        #expect(hand.open.isEmpty)
    }

    @Test(arguments: [(SourceInspection.missing, -1100), (.notARegularFile, -1101)])
    func `a file that cannot be sent fails it`(source: SourceInspection, code: Int) {
        var hand = OperationsByHand()
        hand.source = source
        hand.start(1)
        if let connection = hand.open.last { hand.tell(.attempt(.connected(connection))) }
        #expect(hand.told == ["1 added", "1 failed \(code)"])
    }

    @Test func `a file that is edited under way fails it, and a retry sends what is there then`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.sign()
        if let connection = hand.open.last { hand.tell(.attempt(.unreadable(connection))) }
        #expect(hand.told == ["1 added", "1 failed -1102"])
        hand.source = .regularFile(SourceFingerprint(size: ByteCount(9), modified: 2))
        hand.retry(1)
        if let connection = hand.open.last { hand.tell(.attempt(.connected(connection))) }
        hand.answer("201 Created")
        #expect(hand.told.last == "1 completed")
    }

    @Test(arguments: ["403 Forbidden", "507 Insufficient Storage"])
    func `what the server would not have fails with its status`(status: String) {
        var hand = OperationsByHand()
        hand.start(1)
        if let connection = hand.open.last { hand.tell(.attempt(.connected(connection))) }
        hand.answer(status)
        #expect(hand.told.last == "1 failed \(status.prefix(3))")
        hand.retry(1)
        hand.sign()
        hand.answer(status)
        #expect(hand.told.last == "1 failed \(status.prefix(3))")
    }

    @Test func `who may not have an address has no token that could have expired`() {
        var hand = OperationsByHand()
        hand.start(1, refreshesToken: true)
        if let connection = hand.open.last { hand.tell(.attempt(.connected(connection))) }
        hand.answer("401 Unauthorized")
        #expect(hand.told.last == "1 failed 401")
        #expect(hand.tokens.isEmpty)
    }

    @Test func `a token that has expired is not used again (U6, S12)`() {
        var hand = OperationsByHand()
        hand.start(1)
        hand.sign()
        hand.answer("401 Unauthorized")
        #expect(hand.told.last == "1 failed 401")
        #expect(OperationError.tokenExpired.message.contains("begin a new operation"))
        hand.retry(1)
        #expect(hand.told.suffix(2) == ["1 added", "1 failed 401"])
        #expect(hand.requests.count == 2, "no request goes out with it")
        #expect(hand.tokens == [.used, .rejected])
    }

    @Test func `it is replaced where that is wanted`() {
        var hand = OperationsByHand()
        hand.start(1, refreshesToken: true)
        hand.sign()
        hand.answer("401 Unauthorized")
        hand.sign(as: "/once/y")
        hand.answer("201 Created")
        #expect(hand.told == ["1 added", "1 completed"])
        #expect(
            hand.tokens == [.used, .rejected, .refreshBegan, .refreshEnded(isNew: true), .used])
        #expect(hand.requests[3].key == hand.requests[1].key)
    }

    @Test func `a new one that is rejected as well ends it (L2)`() {
        var hand = OperationsByHand()
        hand.start(1, refreshesToken: true)
        for _ in 1...2 {
            hand.sign()
            hand.answer("401 Unauthorized")
        }
        #expect(hand.told.last == "1 failed 401")
        #expect(hand.open.isEmpty)
        hand.retry(1)
        hand.sign()
        hand.answer("201 Created")
        #expect(hand.told.last == "1 completed", "a retry asks for another")
    }

    @Test func `a refresh that fails leaves the old one rejected`() {
        var hand = OperationsByHand()
        hand.start(1, refreshesToken: true)
        hand.sign()
        hand.answer("401 Unauthorized")
        hand.lose()
        #expect(hand.tokens.last == .refreshEnded(isNew: false))
        hand.retry(1)
        hand.sign()
        hand.answer("201 Created")
        #expect(
            hand.tokens.suffix(3) == [.refreshBegan, .refreshEnded(isNew: true), .used])
    }
}
