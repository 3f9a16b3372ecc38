import Quantities
import Testing
import TransferEngine

/// Behaviour P1 to P3, P6 and P7: a persistent session while it is open.
@Suite struct PersistentSessionTests {
    private static let file = SessionRequest.File(source: "a", destination: "in/a")

    // MARK: P1

    @Test func `it is enqueued without a path, and with one it is refused (P1, A18)`() {
        var request = PersistentByHand.session
        request.files = [Self.file]
        let hand = PersistentByHand([request, PersistentByHand.session])
        #expect(hand.refusals == [.filesOfPersistent])
        #expect(hand.kept.count == 1)
        #expect(hand.kept[SessionID(1)]?.isPersistent == true)
        #expect(hand.kept[SessionID(1)]?.transfers == [])
    }

    @Test func `a path before it has connected is refused, and one after it was ended`() {
        var hand = PersistentByHand()
        let closed = QueueRefusal.path(.notOpen(SessionID(1)))
        hand.add("a")
        #expect(hand.refusals == [closed])
        hand.connect(1)
        hand.add("a")
        #expect(hand.refusals == [closed])
        hand.ask(.cancel)
        hand.add("b")
        #expect(hand.refusals == [closed, closed])
        #expect(hand.inspections == ["a"])
    }

    @Test func `a session that is not persistent takes no path, nor does one that is not there`() {
        let ordinary = SessionRequest(
            account: PersistentByHand.account, uploads: [Self.file],
            settings: QueueBench.plain)
        var hand = PersistentByHand([ordinary])
        hand.connect(1)
        hand.add("b")
        hand.add("b", of: 2)
        #expect(
            hand.refusals == [
                .path(.notPersistent(SessionID(1))), .noSuchSession(SessionID(2)),
            ])
        #expect(hand.inspections == ["a"])
    }

    @Test func `a path that leaves its place is refused, the destination with error 41 (A13)`() {
        var hand = PersistentByHand.opened
        hand.add("/etc/passwd")
        hand.add("a", to: "../a")
        #expect(
            hand.refusals == [
                .path(.sourceOutsideContainer("/etc/passwd")),
                .path(.destinationOutsideDocroot("../a")),
            ])
        #expect(hand.refusals.last?.message.contains("error 41") == true)
        #expect(hand.inspections == [])
    }

    // MARK: P2

    @Test func `once it has connected it says that it can accept paths, and sends them (P2)`() {
        var hand = PersistentByHand()
        #expect(hand.heard.last == "1 will start running")
        hand.connect(1)
        #expect(hand.heard.suffix(2) == ["1 did start running", "1 can accept paths"])
        hand.add("a")
        hand.arrive(on: 1)
        #expect(hand.heard.suffix(2) == ["1 starts a", "1 stops a"])
        #expect(hand.ends == ["1 arrives"])
    }

    // MARK: P3

    @Test func `its connection stays open behind any number of files, and when idle (P3)`() {
        var hand = PersistentByHand.opened
        for number in 1...100 {
            hand.add("\(number)")
            hand.arrive(on: 1)
            #expect(hand.ends.last == "\(number) arrives")
        }
        #expect(hand.open == [1])
        #expect(hand.deadline == nil)
        hand.wait(.seconds(100_000))
        #expect(hand.state() == .running)
        hand.add("again")
        #expect(hand.requests.allSatisfy { $0.connection == 1 })
        #expect(hand.requests.count == 201)
        #expect(hand.deadline == hand.now + .seconds(10))
    }

    @Test
    func `a server that ends an idle connection spends a failure, and it opens another (A16)`() {
        var hand = PersistentByHand.opened
        hand.lose(1, .closedByPeer)
        #expect(hand.errors == [39])
        #expect(hand.heard == ["1 will stop running", "1 did stop running"])
        #expect(hand.state() == .retrying)
        hand.wait(.seconds(2))
        hand.connect(2)
        #expect(hand.heard.last == "1 can accept paths")
        #expect(hand.kept[SessionID(1)]?.failures == 1)
    }

    @Test func `it ends when all failures are spent, and run opens it again`() {
        var hand = PersistentByHand()
        for connection in 1...8 as ClosedRange<UInt32> {
            hand.lose(connection, .refused)
            hand.wait(.seconds(60))
        }
        #expect(hand.state() == .failed)
        #expect(hand.heard.last == "1 did deactivate")
        hand.ask(.run)
        hand.connect(9)
        #expect(hand.heard.last == "1 can accept paths")
    }

    // MARK: P6

    @Test func `several files move at once, over four connections at most (P6)`() {
        var hand = PersistentByHand.opened
        for name in ["a", "b", "c", "d", "e"] { hand.add(name) }
        #expect(hand.open == [1, 2, 3, 4])
        #expect(hand.heard == ["1 starts a"])
        for connection in [3, 2, 4] as [UInt32] { hand.connect(connection) }
        #expect(hand.heard == ["1 starts a", "1 starts b", "1 starts c", "1 starts d"])
        hand.arrive(on: 2)
        #expect(hand.heard.suffix(2) == ["1 stops c", "1 starts e"])
        for connection in [2, 3, 4] as [UInt32] { hand.arrive(on: connection) }
        #expect(hand.ends == ["3 arrives", "5 arrives", "2 arrives", "4 arrives"])
        // What was opened beside the session's own is needed no more.
        #expect(hand.open == [1])
        hand.arrive(on: 1)
        #expect(hand.open == [1])
    }

    @Test func `no more connections are opened than there are files for them`() {
        var hand = PersistentByHand.opened
        hand.add("a")
        hand.add("b")
        #expect(hand.open == [1, 2])
        hand.arrive(on: 1)
        #expect(hand.heard.last == "1 starts b")
        // The one that was on its way for b may as well take c.
        hand.add("c")
        #expect(hand.open == [1, 2])
        hand.connect(2)
        #expect(hand.heard.last == "1 starts c")
    }

    @Test func `a connection that comes too late for its file is closed`() {
        var hand = PersistentByHand.opened
        hand.add("a")
        hand.add("b")
        hand.arrive(on: 1)
        hand.arrive(on: 1)
        hand.connect(2)
        #expect(hand.open == [1])
        #expect(hand.ends == ["1 arrives", "2 arrives"])
    }

    @Test func `a file that is not there ends alone, and the callbacks do not tell (P6)`() {
        var hand = PersistentByHand.opened
        hand.missing = ["a"]
        hand.add("a")
        #expect(hand.heard == ["1 starts a", "1 stops a"])
        #expect(hand.ends == ["1 given up"])
        #expect(hand.reasons == ["no such file, error 4"])
        #expect(hand.open == [1])
        hand.add("b")
        hand.arrive(on: 1)
        #expect(hand.ends == ["1 given up", "2 arrives"])
        #expect(hand.errors == [])
    }

    static let refusals: [(status: String, isAlone: Bool)] = [
        ("403 Forbidden", true), ("413 Content Too Large", true),
        ("507 Insufficient Storage", true), ("401 Unauthorized", false),
        ("500 Internal Server Error", false), ("404 Not Found", false),
    ]

    @Test(arguments: refusals) func `what the server will not take ends alone, the rest does not`(
        status: String, isAlone: Bool
    ) {
        var hand = PersistentByHand.opened
        hand.add("a")
        hand.answer(status, on: 1)
        #expect(hand.ends == ["1 given up"])
        #expect((hand.errors == []) == isAlone)
        #expect((hand.state() == .running) == isAlone)
        #expect((hand.open == [1]) == isAlone)
    }

    // MARK: P7

    @Test func `cancel closes every connection and deactivates, and run begins anew (P7)`() {
        var hand = PersistentByHand.opened
        hand.add("a")
        hand.add("b")
        hand.connect(2)
        hand.forget()
        hand.ask(.cancel)
        #expect(hand.open == [])
        #expect(
            hand.heard == [
                "1 stops a", "1 stops b", "1 will stop running", "1 did stop running",
                "1 will deactivate", "1 did deactivate",
            ])
        #expect(hand.state() == .cancelled)
        hand.wait(.seconds(600))
        #expect(hand.open == [])
        hand.forget()
        hand.ask(.run)
        hand.connect(3)
        #expect(hand.heard.last == "1 can accept paths")
        #expect(hand.inspections == ["a", "b"])
    }

    @Test func `others wait while it is open, and run when it is cancelled (A3)`() {
        let ordinary = SessionRequest(
            account: PersistentByHand.account, uploads: [Self.file],
            settings: QueueBench.plain)
        var hand = PersistentByHand([PersistentByHand.session, ordinary])
        hand.connect(1)
        hand.wait(.seconds(3600))
        #expect(!hand.heard.contains("2 will activate"))
        hand.ask(.cancel)
        #expect(hand.heard.last == "2 will start running")
    }

    /// It asks as the files of other sessions do, and what is wrong with one ends only that (A15).
    @Test func `a path obeys the overwrite policy of its session`() {
        var session = PersistentByHand.session
        session.settings.overwrite = .never
        var hand = PersistentByHand([session])
        hand.connect(1)
        hand.add("a")
        #expect(hand.requests.map(\.line) == ["HEAD /dav/in/a"])
        hand.answer("200 OK", on: 1)
        #expect(hand.ends == ["1 given up"])
        #expect(hand.reasons == ["already exists, error 42"])
        #expect(hand.errors == [])
        hand.add("b")
        hand.answer("404 Not Found", on: 1)
        #expect(hand.requests.last?.line == "POST /tus")
        #expect(hand.state() == .running)
    }
}
