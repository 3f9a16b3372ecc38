import Quantities
import Testing

@testable import TransferEngine

/// How the engine says who asks (A2, A16, S12).
@Suite struct IdentityTests {
    @Test func `a session introduces itself, and runs once the server has accepted it (A2, A23)`() {
        var bench = IdentityBench(IdentityBench.password)
        bench.connect()
        #expect(bench.asked == ["1: OPTIONS /tus by 1"])
        #expect(bench.heard == ["1 willStartRunning"])
        bench.answer("204 No Content")
        #expect(bench.heard == ["1 willStartRunning", "1 didStartRunning"])
        #expect(bench.asked.last == "1: POST /tus by 1")
    }

    @Test func `without a credential there is nothing to accept, and nothing is said`() {
        var bench = IdentityBench(nil)
        bench.connect()
        #expect(bench.asked == ["1: POST /tus"])
        #expect(bench.heard == ["1 willStartRunning", "1 didStartRunning"])
        bench.answer("401 Unauthorized")
        #expect(bench.heard.last == "1 ends 19")
    }

    @Test(arguments: ["200 OK", "404 Not Found", "405 Method Not Allowed", "501 Not Implemented"])
    func `a server that does not know OPTIONS has nothing against the user`(status: String) {
        var bench = IdentityBench(IdentityBench.password)
        bench.connect()
        bench.answer(status)
        #expect(bench.heard.last == "1 didStartRunning")
    }

    @Test(arguments: [
        ("401 Unauthorized", 19), ("403 Forbidden", 34), ("302 Found", 12),
        ("503 Service Unavailable", 39),
    ])
    func `a session that is not accepted never starts running`(status: String, code: Int) {
        var bench = IdentityBench(IdentityBench.password)
        bench.connect()
        bench.answer(status)
        #expect(
            bench.heard.prefix(2) == ["1 willStartRunning", "1 didStopRunning"], "\(bench.heard)")
        let isFinal = code == 19 || code == 34
        #expect((bench.heard.last == "1 ends \(code)") == isFinal)
    }

    @Test func `a password that was rejected is sent no more, until there is another`() {
        var bench = IdentityBench(IdentityBench.password, sessions: 2)
        bench.connect()
        bench.answer("401 Unauthorized")
        bench.connect()
        #expect(bench.asked == ["1: OPTIONS /tus by 1"])
        #expect(bench.heard.filter { $0.hasSuffix("ends 19") } == ["1 ends 19", "2 ends 19"])
        let other = CredentialState(version: 2, length: ByteCount(26))
        bench.tell(.credential(IdentityBench.app, .known(other)))
        bench.tell(.command(.queue(.session(.run, SessionID(2)))))
        bench.connect()
        #expect(bench.asked.last == "3: OPTIONS /tus by 2")
    }

    @Test func `the first token is asked for with the password, on a connection of its own`() {
        var bench = IdentityBench(IdentityBench.noToken)
        bench.connect()
        #expect(bench.asked.isEmpty && bench.renewing == [ConnectionID(2)])
        bench.connect()
        #expect(bench.asked == ["2: POST /token by nil"])
        bench.tell(.credential(IdentityBench.app, .renewed(IdentityBench.token(1), status: 200)))
        #expect(bench.asked.last == "1: OPTIONS /tus by 1" && bench.open == [ConnectionID(1)])
    }

    @Test func `one token serves all who wait for it`() {
        var bench = IdentityBench(IdentityBench.noToken)
        for number in 1...3 as ClosedRange<UInt64> {
            let request = OperationRequest(
                account: IdentityBench.account, source: "b\(number)", destination: "in/b\(number)")
            bench.tell(.command(.operation(.start(OperationID(number), request))))
        }
        for connection in bench.open { bench.tell(.attempt(.connected(connection))) }
        #expect(bench.renewing.count == 1)
        bench.connect()
        bench.tell(.credential(IdentityBench.app, .renewed(IdentityBench.token(1), status: 200)))
        #expect(
            bench.asked.sorted() == [
                "1: OPTIONS /tus by 1", "2: POST /once/in/b1 by 1", "3: POST /once/in/b2 by 1",
                "4: POST /once/in/b3 by 1", "5: POST /token by nil",
            ])
    }

    @Test func `a token that is rejected is replaced once, and no budget is spent`() {
        var bench = IdentityBench(IdentityBench.token(1))
        bench.connect()
        bench.answer("204 No Content")
        bench.answer("401 Unauthorized")
        #expect(bench.forgotten == [1])
        bench.connectAll()
        #expect(bench.asked.last == "2: POST /token by nil")
        bench.tell(.credential(IdentityBench.app, .renewed(IdentityBench.token(2), status: 200)))
        #expect(bench.asked.last == "3: POST /tus by 2")
        #expect(!bench.heard.contains("1 willStopRunning"))
    }

    @Test func `a token that comes before the answer to the last one is not to blame for it`() {
        var bench = IdentityBench(IdentityBench.token(1))
        bench.connect()
        bench.tell(.credential(IdentityBench.app, .known(IdentityBench.token(2))))
        bench.answer("401 Unauthorized")
        #expect(bench.forgotten == [1])
        bench.connectAll()
        #expect(bench.asked == ["1: OPTIONS /tus by 1", "2: OPTIONS /tus by 2"])
    }

    @Test func `a session spends budget when tokens expire as fast as others renew them (L2)`() {
        var bench = IdentityBench(IdentityBench.token(1))
        for version in 2...6 as ClosedRange<UInt32> {
            bench.connectAll()
            #expect(bench.heard == ["1 willStartRunning"])
            bench.tell(.credential(IdentityBench.app, .known(IdentityBench.token(version))))
            bench.answer("401 Unauthorized")
        }
        #expect(bench.heard == ["1 willStartRunning", "1 didStopRunning"])
    }

    @Test func `a task gives up when tokens expire as fast as others renew them (L2)`() {
        var hand = DaemonByHand()
        var version: UInt32 = 1
        hand.tell(.asked(by: 0, .credential(IdentityBench.app, IdentityBench.token(1))))
        hand.upload()
        while hand.connects < 20, hand.state(of: 1) == .running {
            hand.connect()
            version += 1
            hand.tell(.asked(by: 0, .credential(IdentityBench.app, IdentityBench.token(version))))
            hand.answer(401)
        }
        #expect(hand.connects == 5)
        #expect(hand.state(of: 1) == .finished)
    }

    @Test func `a task says again that it waits for a token after it has backed off (S12)`() {
        var hand = DaemonByHand()
        hand.tell(.asked(by: 0, .credential(IdentityBench.app, IdentityBench.token(1))))
        hand.upload()
        hand.connect()
        hand.answer(401)
        #expect(hand.waitsForCredential == 1)
        hand.tell(.asked(by: 0, .credentialNotForNow(IdentityBench.app)))
        hand.wait(.seconds(60))
        #expect(hand.waitsForCredential == 2)
    }

    @Test func `a new token that is rejected as well spends budget, and is replaced later`() {
        var bench = IdentityBench(IdentityBench.token(1))
        bench.connect()
        bench.answer("401 Unauthorized")
        bench.tell(.credential(IdentityBench.app, .renewed(IdentityBench.token(2), status: 200)))
        bench.connectAll()
        bench.answer("401 Unauthorized")
        #expect(bench.heard == ["1 willStartRunning", "1 didStopRunning"])
        let count = bench.asked.count
        bench.wait(.seconds(1))
        #expect(bench.asked.count == count)
        bench.wait(.seconds(1))
        #expect(bench.heard.last == "1 willStartRunning")
    }

    @Test func `a server that gives no token any more ends all who wait, and is not asked again`() {
        var bench = IdentityBench(IdentityBench.noToken, sessions: 2)
        bench.connect()
        bench.connect()
        bench.tell(.credential(IdentityBench.app, .notRenewed(status: 401)))
        bench.connect()
        #expect(bench.heard.contains("1 ends 34") && bench.heard.last == "2 ends 19")
        #expect(bench.asked == ["2: POST /token by nil"])
        bench.tell(.credential(IdentityBench.app, .known(IdentityBench.noToken)))
        bench.tell(.command(.queue(.session(.run, SessionID(1)))))
        bench.connect()
        #expect(bench.renewing.count == 2)
    }

    @Test(arguments: [429, 500, 503, 200])
    func `a server that gives no token for now is asked again after a pause`(status: Int) {
        var bench = IdentityBench(IdentityBench.noToken)
        bench.connect()
        bench.connect()
        bench.tell(.credential(IdentityBench.app, .notRenewed(status: status)))
        #expect(bench.heard == ["1 willStartRunning", "1 didStopRunning"])
        bench.wait(.seconds(2))
        bench.connect()
        #expect(bench.renewing.count == 2)
    }

    @Test func `a request for a token that nobody answers is given up after half a minute`() {
        var bench = IdentityBench(IdentityBench.noToken)
        bench.connect()
        bench.connect()
        #expect(bench.deadline == .start + CredentialKeeper.patience)
        bench.wait(CredentialKeeper.patience)
        #expect(bench.heard == ["1 willStartRunning", "1 didStopRunning"] && bench.open.isEmpty)
    }

    @Test func `a request for a token whose connection breaks is an error that is retried`() {
        var bench = IdentityBench(IdentityBench.noToken)
        bench.connect()
        bench.tell(.attempt(.disconnected(bench.renewing[0], .reset)))
        #expect(bench.heard == ["1 willStartRunning", "1 didStopRunning"])
    }

    @Test func `a queue that stands asks for no token (A19)`() {
        var bench = IdentityBench(IdentityBench.noToken)
        bench.connect()
        bench.tell(.command(.queue(.stop)))
        #expect(bench.open.isEmpty && bench.deadline == nil)
    }

    @Test func `another password ends a request for a token that goes by the one before`() {
        var bench = IdentityBench(IdentityBench.noToken)
        bench.connect()
        bench.connect()
        bench.tell(.credential(IdentityBench.app, .known(IdentityBench.noToken)))
        #expect(bench.renewing.count == 2 && !bench.open.contains(bench.renewing[0]))
    }

    @Test func `without a network nobody asks for a token, and with one it is asked for`() {
        var bench = IdentityBench(IdentityBench.noToken, sessions: 0)
        bench.tell(.network(.none))
        bench.tell(.command(.background(.open(session: "s"))))
        bench.tell(.daemon(.credentialRejected(IdentityBench.account, version: 0)))
        #expect(bench.renewing.isEmpty)
        bench.tell(.network(.wifi))
        #expect(bench.renewing.count == 1)
        bench.tell(.credential(IdentityBench.app, .renewed(IdentityBench.token(1), status: 200)))
        #expect(
            bench.toDaemon.last == .credential(IdentityBench.app, IdentityBench.token(1)))
    }

    @Test func `a version that was rejected stays so, whoever tells of it again`() {
        var keeper = CredentialKeeper()
        keeper.know(IdentityBench.app, IdentityBench.token(3))
        guard case .known(let use)? = keeper.identity(by: IdentityBench.app) else { return }
        #expect(keeper.reject(use) == .renewal)
        keeper.know(IdentityBench.app, IdentityBench.token(3))
        #expect(keeper.identity(by: IdentityBench.app) == .awaited)
        keeper.know(IdentityBench.app, IdentityBench.token(4))
        #expect(keeper.reject(use) == .another)
    }
}

extension NetworkStatus {
    fileprivate static let none = NetworkStatus(
        interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
    fileprivate static let wifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])
}
