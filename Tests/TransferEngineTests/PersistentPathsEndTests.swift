import Content
import Quantities
import Testing
import TransferEngine

/// Behaviour P4 and P5: whatever stops a persistent session leaves it in the queue as the state
/// table has it, and empty.
@Suite struct PersistentPathsEndTests {
    struct End: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var state: SessionState
        /// Whether the activation is over.
        var deactivates: Bool
        var happens: @Sendable (inout PersistentByHand) -> Void

        init(
            _ words: String, _ state: SessionState, deactivates: Bool,
            _ happens: @escaping @Sendable (inout PersistentByHand) -> Void
        ) {
            testDescription = words
            self.state = state
            self.deactivates = deactivates
            self.happens = happens
        }
    }

    /// The row *running* of the state table, with four paths under way.
    static let ends: [End] = [
        End("cancel", .cancelled, deactivates: true) { $0.ask(.cancel) },
        End("stop", .waiting, deactivates: true) { $0.ask(.stop) },
        End("pause", .paused, deactivates: false) { $0.ask(.pause) },
        End("run of another", .preempted, deactivates: true) { $0.ask(.run, 2) },
        End("the queue stops", .waiting, deactivates: true) { $0.tell(.command(.queue(.stop))) },
        End("expiry", .waiting, deactivates: true) {
            $0.tell(.enteredBackground)
            $0.tell(.backgroundTimeExpires(BackgroundTaskID(1)))
        },
        End("a retryable error on its own connection", .retrying, deactivates: false) {
            $0.lose(1)
        },
        End("a retryable error on another", .retrying, deactivates: false) { $0.lose(2) },
        End("one that is refused", .retrying, deactivates: false) { $0.lose(3, .refused) },
        End("a fatal error", .failed, deactivates: true) { $0.answer("418 No", on: 2) },
        End("silence", .retrying, deactivates: false) { $0.wait(.seconds(60)) },
        End("an edited source", .retrying, deactivates: false) {
            $0.tell(.attempt(.unreadable(ConnectionID(1))))
        },
        End("a lost network", .retrying, deactivates: false) { $0.tell(.network(.nothing)) },
    ]

    /// Two that move, one whose connection is on its way, and one that waits for it.
    static func busy() -> PersistentByHand {
        let ordinary = SessionRequest(
            account: PersistentByHand.account, uploads: [.init(source: "o", destination: "in/o")],
            settings: QueueBench.plain)
        var hand = PersistentByHand([PersistentByHand.session, ordinary])
        hand.tell(.network(.wifi))
        hand.connect(1)
        hand.add("a")
        hand.add("b")
        hand.connect(2)
        hand.add("c")
        hand.forget()
        return hand
    }

    @Test(arguments: ends) func `what stops it closes its connections and forgets its paths (P4)`(
        end: End
    ) {
        var hand = Self.busy()
        let others = hand.open
        end.happens(&hand)
        #expect(hand.state() == end.state)
        #expect(others.allSatisfy { !hand.open.contains($0) })
        #expect(hand.ends == ["1 given up", "2 given up", "3 given up"])
        let spans = ["1 stops a", "1 stops b", "1 will stop running", "1 did stop running"]
        let last = end.deactivates ? ["1 will deactivate", "1 did deactivate"] : []
        #expect(Array(hand.heard.prefix(spans.count + last.count)) == spans + last)
        #expect(hand.kept[SessionID(1)]?.transfers == [])
        hand.add("d")
        #expect(hand.refusals == [.path(.notOpen(SessionID(1)))])
    }

    static let returns: [(end: Int, comesBack: @Sendable (inout PersistentByHand) -> Void)] = [
        (0, { $0.ask(.run) }), (2, { $0.ask(.resume) }), (2, { $0.ask(.run) }),
        (4, { $0.tell(.command(.queue(.start))) }), (5, { $0.tell(.enteredForeground) }),
        (6, { $0.wait(.seconds(2)) }), (6, { $0.ask(.run) }), (9, { $0.ask(.run) }),
        (12, { $0.tell(.network(.wifi)) }),
    ]

    @Test(arguments: returns.indices) func `when it comes back it is open and empty (P4, P5)`(
        place: Int
    ) {
        var hand = Self.busy()
        Self.ends[Self.returns[place].end].happens(&hand)
        hand.forget()
        Self.returns[place].comesBack(&hand)
        guard let connection = hand.open.last else {
            Issue.record("no connection")
            return
        }
        hand.connect(connection)
        #expect(hand.heard.last == "1 can accept paths")
        #expect(!hand.heard.contains { $0.hasPrefix("1 starts") })
        #expect(hand.open == [connection])
        // Added anew it begins at byte 0: it is created, and nobody is asked for an offset.
        hand.add("a")
        #expect(hand.requests.map(\.line) == ["POST /tus"])
    }

    @Test func `stopped by the app it comes back behind those that waited (A5)`() {
        var hand = Self.busy()
        hand.ask(.stop)
        #expect(hand.heard.last == "2 will start running")
    }

    @Test func `a kill leaves it in the queue and empty (P4)`() {
        var hand = Self.busy()
        hand.kill()
        #expect(hand.kept[SessionID(1)]?.isPersistent == true)
        hand.connect(1)
        #expect(hand.heard.last == "1 can accept paths")
        #expect(hand.open == [1])
        hand.add("a")
        #expect(hand.requests.map(\.line) == ["POST /tus"])
    }

    @Test func `an open session asks for time in the background, and gives it back when stopped`() {
        var hand = Self.busy()
        hand.tell(.enteredBackground)
        hand.tell(.backgroundTimeExpires(BackgroundTaskID(1)))
        #expect(hand.state() == .waiting)
        hand.wait(.seconds(600))
        #expect(hand.open == [])
        hand.tell(.enteredForeground)
        #expect(hand.heard.last == "1 will start running")
    }
}

extension NetworkStatus {
    fileprivate static let nothing = NetworkStatus(
        interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
    fileprivate static let wifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])
    /// What is open goes on, and nothing can be opened.
    fileprivate static let fading = NetworkStatus(
        interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [0])
}

/// A connection that was dropped while nothing moved on it (P3).
@Suite struct StaleConnectionTests {
    @Test(arguments: [Disconnection.closedByPeer, .reset, .timedOut])
    func `a connection that ends while it is idle is replaced at once`(why: Disconnection) {
        var hand = PersistentByHand.opened
        hand.wait(.seconds(30))
        hand.lose(1, why)
        #expect(hand.open == [2] && hand.heard.isEmpty && hand.errors.isEmpty)
        hand.add("a")
        hand.connect(2)
        hand.arrive(on: 2)
        #expect(hand.ends == ["1 arrives"])
        #expect(hand.refusals.isEmpty)
    }

    @Test func `what is asked first after a silence is asked again, and no budget is spent`() {
        var hand = PersistentByHand.opened
        for file in 1...9 {
            let connection = UInt32(file)
            hand.wait(.seconds(30))
            hand.add("\(file)")
            hand.wait(.seconds(10))
            #expect(hand.open == [connection + 1])
            hand.connect(connection + 1)
            hand.arrive(on: connection + 1)
        }
        #expect(hand.ends == (1...9).map { "\($0) arrives" })
        #expect(hand.kept[SessionID(1)]?.failures == 0)
    }

    @Test func `one that is dropped while nothing can be opened waits for a network (S13)`() {
        var hand = PersistentByHand.opened
        hand.tell(.network(.fading))
        hand.wait(.seconds(30))
        hand.lose(1)
        #expect(hand.open == [])
        hand.tell(.network(.wifi))
        #expect(hand.open == [2] && hand.errors.isEmpty)
        #expect(hand.kept[SessionID(1)]?.failures == 0)
    }

    @Test(arguments: [true, false])
    func `a second connection is opened only where there is a network (S13)`(isFading: Bool) {
        var hand = PersistentByHand.opened
        if isFading { hand.tell(.network(.fading)) }
        hand.add("a")
        hand.add("b")
        #expect(hand.open == (isFading ? [1] : [1, 2]))
    }

    @Test func `a second loss at once is a failure`() {
        var hand = PersistentByHand.opened
        hand.wait(.seconds(30))
        hand.add("a")
        hand.lose(1)
        hand.connect(2)
        hand.lose(2)
        #expect(hand.state() == .retrying)
        #expect(hand.ends == ["1 given up"])
    }

    /// Comparing a big file is no silence of the server's.
    @Test func `a request of an ordinary session is waited for as long as ever`() {
        var bench = QueueBench(sessions: 0)
        let files = ["a", "b"].map { SessionRequest.File(source: $0, destination: "in/\($0)") }
        let settings = TransferSettings(overwrite: .ifDifferent, resume: .attributes)
        let request = SessionRequest(
            account: QueueBench.access, uploads: files, settings: settings)
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        let file = SourceFingerprint(size: ByteCount(9), modified: 0)
        bench.finds(.regularFile(file))
        let head = "Content-Length: 9\r\nRepr-Digest: ranges=:AAAAAAAAAAA=:"
        bench.tell(
            .attempt(
                .received(
                    ConnectionID(1),
                    [
                        .bytes(
                            Array(
                                "HTTP/1.1 200 OK\r\n\(head)\r\n\r\n".utf8))
                    ])))
        bench.wait(.seconds(30))
        bench.compares(file, digest: 0)
        bench.finds(.regularFile(file))
        #expect(bench.heard.count { $0 == "1 did start file" } == 2)
        #expect(bench.deadline == bench.now + TransferEngine.stallLimit)
    }
}
